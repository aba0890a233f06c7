package io.jvmtools.event;

import io.jvmtools.internal.thread.Errand;
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
  private final Errand following = new Errand(Errand.PLACES, this::run);

  /** How many changes have begun, and how many had when the last one was followed to its end. */
  private final AtomicInteger begun = new AtomicInteger();

  private volatile int over;

  PlaceFollower(BooleanSupplier deed) {
    this.deed = deed;
  }

  /** Begins anew. */
  void follow() {
    begun.incrementAndGet();
    following.ask();
  }

  private void run() {
    while (over != begun.get()) {
      int seen = begun.get();
      long millis = FIRST_MILLIS;
      boolean isDone = false;
      for (int i = 0; !isDone && i < TIMES && begun.get() == seen; i++) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        isDone = isDone();
        millis *= 2;
      }
      over = seen;
    }
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
