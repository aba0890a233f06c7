package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.SpecFacts;

/**
 * An error of JVM TI: its number and its name.
 *
 * <p>Numbers are an open set, because a newer JVM may know more of them than this library does.
 *
 * @param number the number, as in {@code jvmti.h}
 * @param name the name, as in {@code jvmti.h}, for example {@code "JVMTI_ERROR_THREAD_NOT_ALIVE"};
 *     {@code "JVMTI_ERROR_UNKNOWN"} for a number that this library does not know
 */
public record JvmtiError(int number, String name) {

  private static final String UNKNOWN = "JVMTI_ERROR_UNKNOWN";

  /**
   * Refuses a {@code null} name.
   *
   * @param number the number
   * @param name the name
   */
  public JvmtiError {
    requireNonNull(name, "name");
  }

  /**
   * The error with a number.
   *
   * @param number any number
   * @return the error, with its name if it is known
   */
  public static JvmtiError of(int number) {
    return new JvmtiError(number, SpecFacts.errorName(number).orElse(UNKNOWN));
  }

  /**
   * Whether this library knows a name for the number.
   *
   * @return whether the name is the one of the specification
   */
  public boolean isKnown() {
    return !name.equals(UNKNOWN);
  }

  /**
   * Compares numbers and names.
   *
   * @param other another one
   * @return whether it is the same error
   */
  // What a record gets by itself would keep our class loader before JDK 19 (JDK-8078641).
  @Override
  public boolean equals(Object other) {
    return other instanceof JvmtiError that && number == that.number && name.equals(that.name);
  }

  /**
   * Goes with {@link #equals}.
   *
   * @return a number
   */
  @Override
  public int hashCode() {
    return 31 * name.hashCode() + number;
  }

  /**
   * Name and number.
   *
   * @return for example {@code "JVMTI_ERROR_THREAD_NOT_ALIVE (15)"}
   */
  @Override
  public String toString() {
    return name + " (" + number + ")";
  }
}
