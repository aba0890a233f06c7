package io.jvmtools.internal.stack;

import org.jspecify.annotations.Nullable;

/**
 * A value in another type, widened to it as the language does.
 *
 * @param type the first character of the type's descriptor
 * @param integer the value if that is an integral type, {@code char} or {@code boolean}
 * @param real the value if it is {@code float} or {@code double}
 * @param object the value if it is a reference
 */
public record NewValue(char type, long integer, double real, @Nullable Object object) {

  private static final String INTEGRAL = "BSIJ";

  /**
   * Widens a value, or {@code null}; of references the types are compared later.
   *
   * @param name what the value is called where it is given
   * @param what of what the type is: {@code "a variable"}
   * @param signature the descriptor of the type
   * @param value the value, boxed
   * @return the same in that type
   * @throws IllegalArgumentException if the type does not take it
   */
  public static NewValue of(String name, String what, String signature, @Nullable Object value) {
    char type = signature.charAt(0);
    if (type == 'L' || type == '[') {
      return new NewValue(type, 0, 0, value);
    }
    if (value == null || !takes(type, typeOf(value))) {
      throw new IllegalArgumentException(
          "%s is %s, which %s of type %s does not take"
              .formatted(
                  name,
                  value == null ? "null" : "a " + value.getClass().getName(),
                  what,
                  signature));
    }
    return switch (typeOf(value)) {
      case 'Z' -> integer(type, (Boolean) value ? 1 : 0);
      case 'C' -> integer(type, (Character) value);
      case 'F', 'D' -> new NewValue(type, 0, ((Number) value).doubleValue(), null);
      default -> integer(type, ((Number) value).longValue());
    };
  }

  /**
   * The value as native code takes it.
   *
   * @return the bits of a number; 0 for a reference
   */
  public long bits() {
    return switch (type) {
      case 'F' -> Float.floatToRawIntBits((float) real);
      case 'D' -> Double.doubleToRawLongBits(real);
      default -> integer;
    };
  }

  private static NewValue integer(char type, long value) {
    return new NewValue(type, value, type == 'F' ? (float) value : (double) value, null);
  }

  private static char typeOf(Object value) {
    return switch (value.getClass().getName()) {
      case "java.lang.Boolean" -> 'Z';
      case "java.lang.Byte" -> 'B';
      case "java.lang.Character" -> 'C';
      case "java.lang.Short" -> 'S';
      case "java.lang.Integer" -> 'I';
      case "java.lang.Long" -> 'J';
      case "java.lang.Float" -> 'F';
      case "java.lang.Double" -> 'D';
      default -> 'L';
    };
  }

  /** Whether the language widens one type to another. */
  private static boolean takes(char type, char from) {
    if (type == from) {
      return true;
    }
    return switch (type) {
      case 'S' -> from == 'B';
      case 'I' -> from == 'C' || from == 'B' || from == 'S';
      case 'J' -> from == 'C' || from == 'B' || from == 'S' || from == 'I';
      case 'F' -> from == 'C' || INTEGRAL.indexOf(from) >= 0;
      case 'D' -> from == 'C' || from == 'F' || INTEGRAL.indexOf(from) >= 0;
      default -> false;
    };
  }
}
