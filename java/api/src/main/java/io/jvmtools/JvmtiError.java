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
   * Name and number.
   *
   * @return for example {@code "JVMTI_ERROR_THREAD_NOT_ALIVE (15)"}
   */
  @Override
  public String toString() {
    return name + " (" + number + ")";
  }
}
