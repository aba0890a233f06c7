package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

/**
 * One bytecode with its operands, to be read by people.
 *
 * @param location the index of the bytecode in the code of its method
 * @param mnemonic its name in the specification of the JVM, with {@code "_w"} behind it if the
 *     prefix {@code wide} stands before it
 * @param operands what follows it as {@code javap} writes it: constants as {@code "#7"}, jumps as
 *     the locations that they lead to; empty if nothing does
 */
public record Instruction(long location, String mnemonic, String operands) {

  /**
   * Refuses {@code null} components.
   *
   * @param location the index
   * @param mnemonic the name
   * @param operands the operands
   */
  public Instruction {
    requireNonNull(mnemonic, "mnemonic");
    requireNonNull(operands, "operands");
  }

  /**
   * The location, the name and the operands.
   *
   * @return for example {@code " 17: invokevirtual #7"}
   */
  @Override
  public String toString() {
    String line = "%4d: %s".formatted(location, mnemonic);
    return operands.isEmpty() ? line : line + ' ' + operands;
  }
}
