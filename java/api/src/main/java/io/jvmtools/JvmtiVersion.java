package io.jvmtools;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;

/**
 * The version of the JVM TI specification that the running JVM implements.
 *
 * @param major the feature release: 17 on JDK 17
 * @param minor the minor number, 0 on every JDK since 9
 * @param micro the micro number
 */
public record JvmtiVersion(int major, int minor, int micro) implements Comparable<JvmtiVersion> {

  private static final Comparator<JvmtiVersion> ORDER =
      Comparator.comparingInt(JvmtiVersion::major)
          .thenComparingInt(JvmtiVersion::minor)
          .thenComparingInt(JvmtiVersion::micro);

  static JvmtiVersion of(int number) {
    return new JvmtiVersion((number >> 16) & 0xFFF, (number >> 8) & 0xFF, number & 0xFF);
  }

  @Override
  public int compareTo(JvmtiVersion other) {
    return ORDER.compare(this, requireNonNull(other, "other"));
  }

  /**
   * The version with its dots, for example {@code "17.0.0"}.
   *
   * @return major, minor and micro
   */
  @Override
  public String toString() {
    return major + "." + minor + "." + micro;
  }
}
