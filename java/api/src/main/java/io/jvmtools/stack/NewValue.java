package io.jvmtools.stack;

import org.jspecify.annotations.Nullable;

/**
 * A value in the type of a variable, widened to it as the language does.
 *
 * @param type the first character of the type's descriptor
 * @param integer the value if that is an integral type, {@code char} or {@code boolean}
 * @param real the value if it is {@code float} or {@code double}
 * @param object the value if it is a reference
 */
record NewValue(char type, long integer, double real, @Nullable Object object) {

  private static final String INTEGRAL = "BSIJ";

  /**
   * Widens a value, or {@code null}; of references the types are compared later.
   *
   * @throws IllegalArgumentException if the type does not take it
   */
  static NewValue of(String signature, @Nullable Object value) {
    char type = signature.charAt(0);
    if (type == 'L' || type == '[') {
      return new NewValue(type, 0, 0, value);
    }
    if (value == null || !takes(type, typeOf(value))) {
      throw new IllegalArgumentException(
          "object is %s, which a variable of type %s does not take"
              .formatted(value == null ? "null" : "a " + value.getClass().getName(), signature));
    }
    return switch (typeOf(value)) {
      case 'Z' -> integer(type, (Boolean) value ? 1 : 0);
      case 'C' -> integer(type, (Character) value);
      case 'F', 'D' -> new NewValue(type, 0, ((Number) value).doubleValue(), null);
      default -> integer(type, ((Number) value).longValue());
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
