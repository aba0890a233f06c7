package io.jvmtools.code;

import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.MethodNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The bytecodes of a method. Immutable; two are equal if they have the same bytes, whatever the
 * constants that these name.
 */
public final class Bytecodes {

  static {
    Makers.register(
        Bytecodes.class,
        new Maker<JvmMethod, byte[]>() {
          @Override
          public byte[] make(JvmMethod method) {
            Class<?> type = method.holder("GetBytecodes");
            byte[] code = MethodNatives.getBytecodes(GeneralNatives.metadata(), type, method.id());
            return code == null ? new byte[0] : code;
          }
        });
  }

  private final byte[] code;

  /** Of bytes that nobody else has. */
  Bytecodes(byte[] code) {
    this.code = code;
  }

  /**
   * How many bytes they are.
   *
   * @return their number, 1 to 65,535
   */
  public int length() {
    return code.length;
  }

  /**
   * The bytes.
   *
   * @return a new array
   */
  public byte[] toByteArray() {
    return code.clone();
  }

  /**
   * The bytecodes one by one.
   *
   * @return an unmodifiable list by ascending location
   */
  public List<Instruction> instructions() {
    return new Disassembly(code).instructions();
  }

  /**
   * The bytecodes as text, a line each, like {@code javap -c} without its comments.
   *
   * @return the lines, for example {@code " 4: invokevirtual #7"}
   */
  public String disassemble() {
    return instructions().stream().map(Instruction::toString).collect(Collectors.joining("\n"));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytecodes that && Arrays.equals(code, that.code);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(code);
  }

  /**
   * The same as {@link #disassemble()}.
   *
   * @return the lines
   */
  @Override
  public String toString() {
    return disassemble();
  }
}
