package io.jvmtools.code;

/**
 * Where something is in the memory of this process.
 *
 * @param value the address; those in the upper half are negative
 */
public record NativeAddress(long value) {

  /**
   * What it stands for, for people.
   *
   * @return for example {@code "0x7f3a5c001040"}
   */
  @Override
  public String toString() {
    return "0x" + Long.toHexString(value);
  }
}
