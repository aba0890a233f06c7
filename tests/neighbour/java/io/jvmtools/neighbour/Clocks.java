package io.jvmtools.neighbour;

import java.util.concurrent.TimeUnit;

/**
 * What the machine does to time. One that stood still, or whose time of day was set, lets every
 * time-out pass at once, and no program is to blame.
 */
final class Clocks {

  private long latest;
  private long offset = offset();
  private long jump;

  /** Sleeps, and notes how much later than that it wakes up. */
  void sleepUntil(long due) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
    latest = Math.max(latest, System.nanoTime() - due);
    long now = offset();
    jump = Math.max(jump, Math.abs(now - offset));
    offset = now;
  }

  /** By how much a sleep was too long at most. */
  long latestNanos() {
    return latest;
  }

  /** By how much the time of day went more or less than the time that programs measure. */
  long jumpNanos() {
    return jump;
  }

  private static long offset() {
    return TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();
  }
}
