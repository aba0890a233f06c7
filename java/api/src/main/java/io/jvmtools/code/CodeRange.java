package io.jvmtools.code;

/**
 * Where the code of a method begins and ends.
 *
 * @param start the location of its first bytecode, 0 on HotSpot
 * @param end that of its last byte, which is an operand if the last bytecode has one
 */
public record CodeRange(long start, long end) {

  /**
   * Whether a location is in it; not whether a bytecode begins there.
   *
   * @param location an index of a bytecode
   * @return whether it is neither before the first nor after the last
   */
  public boolean contains(long location) {
    return start <= location && location <= end;
  }
}
