package io.jvmtools.internal.stack;

import io.jvmtools.internal.Escapes;
import org.jspecify.annotations.Nullable;

/** What local variables hold, as native code reads it: bits, or an object. */
public final class SlotValues {

  private static final int LONGEST_STRING = 80;

  private SlotValues() {}

  /**
   * The value in its type.
   *
   * @param signature the descriptor of the variable's type
   * @param bits its bits, if that is a primitive one
   * @param object its object, if it is not
   * @return the value, boxed
   */
  public static @Nullable Object boxed(String signature, long bits, @Nullable Object object) {
    return switch (signature.charAt(0)) {
      case 'Z' -> (bits & 1) != 0;
      case 'B' -> (byte) bits;
      case 'C' -> (char) bits;
      case 'S' -> (short) bits;
      case 'I' -> (int) bits;
      case 'J' -> bits;
      case 'F' -> Float.intBitsToFloat((int) bits);
      case 'D' -> Double.longBitsToDouble(bits);
      default -> object;
    };
  }

  /**
   * A value as text, for which no method of a program's object is called.
   *
   * @param signature the descriptor of the variable's type
   * @param value the value
   * @return a number, {@code true}, a quoted character or string, {@code class@hash} of another
   *     object, or {@code null}; a long string is cut
   */
  public static String text(String signature, @Nullable Object value) {
    char type = signature.charAt(0);
    if (type == 'C') {
      return "'" + Escapes.quoted(String.valueOf(value), '\'') + "'";
    }
    return type == 'L' || type == '[' ? reference(value) : String.valueOf(value);
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
}
