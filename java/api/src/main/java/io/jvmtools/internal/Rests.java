package io.jvmtools.internal;

import java.util.concurrent.locks.LockSupport;

/** Rests between two looks at what somebody else does, where nobody can be woken. */
public final class Rests {

  private Rests() {}

  /**
   * Rests that long. Whoever is interrupted rests as long as others do, and is interrupted
   * afterwards.
   *
   * @param nanos how long, in nanoseconds
   */
  public static void forNanos(long nanos) {
    long end = System.nanoTime() + nanos;
    boolean isInterrupted = false;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
      // Who is interrupted is not parked.
      isInterrupted |= Thread.interrupted();
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
