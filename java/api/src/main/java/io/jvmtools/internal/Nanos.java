package io.jvmtools.internal;

import java.time.Duration;

/** Durations as numbers. */
public final class Nanos {

  private Nanos() {}

  /**
   * How many nanoseconds a duration has.
   *
   * @param duration any, also of three hundred years and more
   * @return the number, or the greatest or the least there is
   */
  public static long of(Duration duration) {
    try {
      return duration.toNanos();
    } catch (ArithmeticException tooLong) {
      return duration.isNegative() ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
