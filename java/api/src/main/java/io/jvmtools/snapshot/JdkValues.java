package io.jvmtools.snapshot;

import java.util.Set;

/**
 * Values of the JDK whose text is the JDK's affair alone: exactly these classes, which lock nothing
 * and ask no object of the program.
 */
final class JdkValues {

  private static final Set<String> NAMES =
      Set.of(
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Double",
          "java.lang.Float",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Short",
          "java.lang.StringBuilder",
          "java.math.BigDecimal",
          "java.math.BigInteger",
          "java.net.URI",
          "java.time.Duration",
          "java.time.Instant",
          "java.time.LocalDate",
          "java.time.LocalDateTime",
          "java.time.LocalTime",
          "java.time.OffsetDateTime",
          "java.time.Period",
          "java.time.ZonedDateTime",
          "java.util.OptionalDouble",
          "java.util.OptionalInt",
          "java.util.OptionalLong",
          "java.util.UUID",
          "java.util.concurrent.atomic.AtomicBoolean",
          "java.util.concurrent.atomic.AtomicInteger",
          "java.util.concurrent.atomic.AtomicLong");

  private JdkValues() {}

  static boolean isOne(Class<?> type) {
    return type.getClassLoader() == null && NAMES.contains(type.getName());
  }

  static String text(Object value, int characters) {
    String text;
    try {
      text = value.toString();
    } catch (RuntimeException changedMeanwhile) {
      // A text that another thread builds.
      text = "?";
    }
    return text.length() <= characters ? text : text.substring(0, characters) + "...";
  }
}
