package io.jvmtools.system;

import static java.util.Objects.requireNonNull;

/**
 * What a timer of the JVM measures and how far it can be trusted.
 *
 * @param kind what the timer counts
 * @param maxNanos the largest value in nanoseconds, after which the timer starts again at 0; an
 *     <em>unsigned</em> number, so −1 is the largest of all
 * @param maySkipForward whether the timer can jump forward when the system clock is set
 * @param maySkipBackward whether the timer can jump backward when the system clock is set
 */
public record TimerInfo(
    TimerKind kind, long maxNanos, boolean maySkipForward, boolean maySkipBackward) {

  /**
   * Refuses a {@code null} kind.
   *
   * @param kind what the timer counts
   * @param maxNanos the largest value, unsigned
   * @param maySkipForward whether it can jump forward
   * @param maySkipBackward whether it can jump backward
   */
  public TimerInfo {
    requireNonNull(kind, "kind");
  }

  static TimerInfo of(long[] facts) {
    return new TimerInfo(
        TimerKind.of(Math.toIntExact(facts[3])), facts[0], facts[1] != 0, facts[2] != 0);
  }

  /**
   * The facts in one line, with the largest value as the unsigned number it is.
   *
   * @return for example {@code "TOTAL_CPU, at most 18446744073709551615 ns, never skips"}
   */
  @Override
  public String toString() {
    String skips =
        maySkipForward
            ? (maySkipBackward ? "may skip both ways" : "may skip forward")
            : (maySkipBackward ? "may skip backward" : "never skips");
    return kind + ", at most " + Long.toUnsignedString(maxNanos) + " ns, " + skips;
  }
}
