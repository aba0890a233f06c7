package io.jvmtools.internal.code;

import java.util.StringJoiner;

/** Method descriptors in the form people read. */
public final class Descriptors {

  private Descriptors() {}

  /**
   * The parameter types of a descriptor.
   *
   * @param descriptor for example {@code "(I[Ljava/lang/String;)V"}
   * @return for example {@code "(int, java.lang.String[])"}; the descriptor itself if it is none
   */
  public static String parameters(String descriptor) {
    int end = descriptor.indexOf(')');
    if (!descriptor.startsWith("(") || end < 0) {
      return descriptor;
    }
    StringJoiner types = new StringJoiner(", ", "(", ")");
    int at = 1;
    while (at < end) {
      int element = at;
      while (descriptor.charAt(element) == '[') {
        element++;
      }
      int next =
          descriptor.charAt(element) == 'L' ? descriptor.indexOf(';', element) + 1 : element + 1;
      if (next <= element) {
        return descriptor;
      }
      types.add(type(descriptor.substring(element, next)) + "[]".repeat(element - at));
      at = next;
    }
    return types.toString();
  }

  /**
   * The name of a type.
   *
   * @param descriptor for example {@code "[Ljava/lang/String;"}
   * @return for example {@code "java.lang.String[]"}
   */
  public static String typeName(String descriptor) {
    int element = 0;
    while (element < descriptor.length() - 1 && descriptor.charAt(element) == '[') {
      element++;
    }
    return type(descriptor.substring(element)) + "[]".repeat(element);
  }

  private static String type(String descriptor) {
    return switch (descriptor.charAt(0)) {
      case 'Z' -> "boolean";
      case 'B' -> "byte";
      case 'C' -> "char";
      case 'S' -> "short";
      case 'I' -> "int";
      case 'J' -> "long";
      case 'F' -> "float";
      case 'D' -> "double";
      case 'L' -> descriptor.substring(1, descriptor.length() - 1).replace('/', '.');
      default -> descriptor;
    };
  }
}
