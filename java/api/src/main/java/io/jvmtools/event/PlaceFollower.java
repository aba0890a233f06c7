package io.jvmtools.event;

import io.jvmtools.StalledException;
import io.jvmtools.internal.Rests;
import io.jvmtools.internal.thread.Errand;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Has the places of an environment set again, for ten seconds after another agent has begun to
 * change a class. The JVM tells that it will be changed, and not when that is over.
 */
final class PlaceFollower {

  private static final long FIRST_MILLIS = 10;
  private static final int TIMES = 10;

  /** Linked here, and not where a class is about to change. */
  private final Errand following = new Errand(Errand.PLACES, this::run);

  /**
   * Those that are not done, also when there is no more time: who adds one may come at that moment.
   * Each once, and without a lock, for threads are suspended.
   */
  private final Set<PlaceSubscription> places =
      new ConcurrentSkipListSet<>(Comparator.comparingLong(PlaceSubscription::number));

  /** How many changes have begun, and how many had when the last one was followed to its end. */
  private final AtomicInteger begun = new AtomicInteger();

  private volatile int over;

  /** Begins anew, with one more that knows already what it has to do. */
  void follow(PlaceSubscription place) {
    places.add(place);
    begun.incrementAndGet();
    following.ask();
  }

  private void run() {
    while (over != begun.get()) {
      int seen = begun.get();
      long millis = FIRST_MILLIS;
      for (int i = 0; !places.isEmpty() && i < TIMES && begun.get() == seen; i++) {
        Rests.forNanos(TimeUnit.MILLISECONDS.toNanos(millis));
        tryAll();
        millis *= 2;
      }
      over = seen;
    }
  }

  private void tryAll() {
    boolean goesOn = true;
    Iterator<PlaceSubscription> all = places.iterator();
    while (goesOn && all.hasNext()) {
      PlaceSubscription place = all.next();
      // Before: whoever follows it from here on adds it again.
      all.remove();
      goesOn = tryOne(place);
    }
  }

  /** Whether the next one need not wait in vain as well. */
  private boolean tryOne(PlaceSubscription place) {
    boolean isDone = false;
    boolean goesOn = true;
    try {
      isDone = place.isSetAgain();
    } catch (StalledException stalled) {
      goesOn = false;
    } catch (Throwable closed) {
      // It is tried once more, if there is still time.
    } finally {
      if (!isDone) {
        places.add(place);
      }
    }
    return goesOn;
  }
}
