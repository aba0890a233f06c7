package io.jvmtools.code;

/**
 * A row of a line number table: from which bytecode on the code of a method is that of a line.
 *
 * @param location the index of the bytecode
 * @param line the line in the source file, from 1 on
 */
public record LineNumber(long location, int line) {

  /**
   * Like {@code javap} prints it.
   *
   * @return for example {@code "line 17: 4"}
   */
  @Override
  public String toString() {
    return "line " + line + ": " + location;
  }
}
