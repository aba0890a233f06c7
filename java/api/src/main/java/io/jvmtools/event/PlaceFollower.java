package io.jvmtools.event;

import io.jvmtools.internal.thread.LibraryThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Does something again and again until it is done, for ten seconds after another agent has begun to
 * change a class. The JVM tells that it will be changed, and not when that is over.
 */
final class PlaceFollower {

  private static final long FIRST_MILLIS = 10;
  private static final int TIMES = 10;

  private final BooleanSupplier deed;

  /** Linked here, and not where a class is about to change. */
  private final Runnable following = this::run;

  /** How many changes have begun that are not followed to the end. */
  private final AtomicInteger begun = new AtomicInteger();

  PlaceFollower(BooleanSupplier deed) {
    this.deed = deed;
  }

  /** Begins anew. */
  void follow() {
    if (begun.getAndIncrement() == 0) {
      boolean started = false;
      try {
        new LibraryThread(LibraryThread.PLACES, following).start();
        started = true;
      } finally {
        if (!started) {
          begun.set(0);
        }
      }
    }
  }

  private void run() {
    int seen;
    do {
      seen = begun.get();
      long millis = FIRST_MILLIS;
      boolean isDone = false;
      for (int i = 0; !isDone && i < TIMES && begun.get() == seen; i++) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        isDone = isDone();
        millis *= 2;
      }
    } while (!begun.compareAndSet(seen, 0));
  }

  private boolean isDone() {
    try {
      return deed.getAsBoolean();
    } catch (Throwable closedOrStalled) {
      // It is tried once more, if there is still time.
      return false;
    }
  }
}
