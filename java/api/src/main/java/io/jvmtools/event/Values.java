package io.jvmtools.event;

import io.jvmtools.code.NativeAddress;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Boxes what native code hands over, and unboxes what it is given back. */
final class Values {

  /** How HotSpot writes one. */
  private static final String ADDRESS = "0x0123456789abcdef";

  private Values() {}

  /** What native code takes; null for none. */
  static byte @Nullable [] file(@Nullable Object answer) {
    return (byte[]) answer;
  }

  /** What native code takes; 0 for none. */
  static long address(@Nullable Object answer) {
    return answer == null ? 0 : ((NativeAddress) answer).value();
  }

  /**
   * As {@link Class#getName} has it. HotSpot writes slashes, and in the name of a hidden class a
   * plus and an address where Java writes a slash and the same.
   */
  static String className(String name) {
    int plus = name.lastIndexOf('+');
    if (plus < 0 || !isAddress(name, plus + 1)) {
      return name.replace('/', '.');
    }
    return name.substring(0, plus).replace('/', '.') + "/" + name.substring(plus + 1);
  }

  private static boolean isAddress(String text, int start) {
    if (text.length() != start + ADDRESS.length() || !text.startsWith("0x", start)) {
      return false;
    }
    for (int i = start + 2; i < text.length(); i++) {
      if (Character.digit(text.charAt(i), 16) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Of the nanoseconds since 1970. */
  static Instant instant(long nanos) {
    return Instant.EPOCH.plusNanos(nanos);
  }

  /** Its class and its identity, of what is no number or the like: nothing of its own is called. */
  static String named(Object object) {
    return object instanceof Number || object instanceof Boolean || object instanceof Character
        ? object.toString()
        : object.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(object));
  }

  /** The same of what there may be. */
  static String named(Optional<?> object) {
    return object.isEmpty() ? "none" : named(object.get());
  }

  /** Has each type of value been made once. */
  static void rehearse() {
    for (char type : "ZBCSIJFD".toCharArray()) {
      of(type, 0, null);
    }
    address(new NativeAddress(0));
    named(0);
    instant(0);
  }

  /** By the first letter of its descriptor: of its bits, or the reference itself. */
  static Optional<Object> of(char type, long bits, @Nullable Object reference) {
    return switch (type) {
      case 'Z' -> Optional.of(bits != 0);
      case 'B' -> Optional.of((byte) bits);
      case 'C' -> Optional.of((char) bits);
      case 'S' -> Optional.of((short) bits);
      case 'I' -> Optional.of((int) bits);
      case 'J' -> Optional.of(bits);
      case 'F' -> Optional.of(Float.intBitsToFloat((int) bits));
      case 'D' -> Optional.of(Double.longBitsToDouble(bits));
      default -> Optional.ofNullable(reference);
    };
  }
}
