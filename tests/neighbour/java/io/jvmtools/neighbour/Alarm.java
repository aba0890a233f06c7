package io.jvmtools.neighbour;

import java.time.Duration;
import java.time.LocalTime;
import java.util.Map;

/** Writes into the log what all threads do when somebody has waited for too long. */
final class Alarm {

  private final Duration bound;
  private long told = Long.MIN_VALUE;

  Alarm(Duration bound) {
    this.bound = bound;
  }

  /** Looks at one who waits since then, at most once in the time that is too long. */
  void check(long sinceNanos, String what) {
    long now = System.nanoTime();
    if (now - sinceNanos < bound.toNanos()
        || (told != Long.MIN_VALUE && now - told < bound.toNanos())) {
      return;
    }
    told = now;
    System.err.println(
        "WAITING at " + LocalTime.now() + ", " + Waits.text(now - sinceNanos) + ": " + what);
    for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
      System.err.println("\"" + thread.getKey().getName() + "\" " + thread.getKey().getState());
      for (StackTraceElement frame : thread.getValue()) {
        System.err.println("  at " + frame);
      }
    }
  }
}
