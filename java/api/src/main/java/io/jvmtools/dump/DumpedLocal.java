package io.jvmtools.dump;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A local variable in a frame of a {@link ThreadDump}, as text: no object of the program is kept,
 * and no method of one was called to write it.
 *
 * @param name its name in the source
 * @param signature the descriptor of its type, for example {@code "J"} or {@code "Lcom/acme/Cart;"}
 * @param value a number, {@code true}, a quoted character or string, {@code class@hash} of another
 *     object, or {@code null}; a long string is cut
 */
public record DumpedLocal(String name, String signature, String value) {

  private static final int LONGEST_STRING = 80;

  /**
   * Refuses {@code null} components.
   *
   * @param name its name
   * @param signature the descriptor of its type
   * @param value its value as text
   */
  public DumpedLocal {
    requireNonNull(name, "name");
    requireNonNull(signature, "signature");
    requireNonNull(value, "value");
  }

  static DumpedLocal of(String name, String signature, long bits, @Nullable Object object) {
    String value =
        switch (signature.charAt(0)) {
          case 'Z' -> Boolean.toString((bits & 1) != 0);
          case 'B' -> Byte.toString((byte) bits);
          case 'C' -> "'" + Escapes.quoted(String.valueOf((char) bits), '\'') + "'";
          case 'S' -> Short.toString((short) bits);
          case 'I' -> Integer.toString((int) bits);
          case 'J' -> Long.toString(bits);
          case 'F' -> Float.toString(Float.intBitsToFloat((int) bits));
          case 'D' -> Double.toString(Double.longBitsToDouble(bits));
          default -> reference(object);
        };
    return new DumpedLocal(name, signature, value);
  }

  private static String reference(@Nullable Object object) {
    if (object == null) {
      return "null";
    }
    if (object instanceof String string) {
      int length = string.length();
      return length <= LONGEST_STRING
          ? '"' + Escapes.quoted(string, '"') + '"'
          : '"'
              + Escapes.quoted(string.substring(0, LONGEST_STRING), '"')
              + "\"... ("
              + length
              + " characters)";
    }
    return object.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(object));
  }

  /**
   * The variable as an assignment.
   *
   * @return for example {@code "total = 42"}
   */
  @Override
  public String toString() {
    return name + " = " + value;
  }
}
