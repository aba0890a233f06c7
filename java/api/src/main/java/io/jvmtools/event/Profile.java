package io.jvmtools.event;

import io.jvmtools.StalledException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Events that are counted by where they happen, until this is closed, or the environment is. It is
 * done in native code: no Java runs for any of them, and the thread waits for nobody but who is
 * just looking something up, or copies what {@link #snapshot} answers.
 */
public sealed class Profile implements AutoCloseable permits AllocationProfile {

  private final Delivery delivery;
  private final ProfileUnit unit;

  /** The one that counts comes first. */
  private final List<Subscription> subscriptions;

  /** That of which most was counted: it grows only. */
  private final AtomicReference<Counted> last = new AtomicReference<>(Counted.NOTHING);

  private volatile boolean ended;

  Profile(Delivery delivery, ProfileUnit unit, Subscription... subscriptions) {
    this.delivery = delivery;
    this.unit = unit;
    this.subscriptions = List.of(subscriptions);
  }

  /**
   * What has been counted so far.
   *
   * @return that; once this is closed what it was then, or was last asked for if the environment
   *     was closed before
   * @throws IllegalStateException if the environment is closed, and this is not
   */
  public ProfileSnapshot snapshot() {
    return read().snapshot(unit);
  }

  private Counted read() {
    Counted now = ended ? null : delivery.counted(counting(), false);
    if (now == null) {
      return last.get();
    }
    Counted before = last.get();
    while (before.events() < now.events() && !last.compareAndSet(before, now)) {
      before = last.get();
    }
    return now;
  }

  /** What is still there. */
  ProfileSnapshot stillThere() {
    Counted counted = ended ? null : delivery.counted(counting(), true);
    return (counted == null ? Counted.NOTHING : counted).snapshot(unit);
  }

  /**
   * What became of the events: those that are counted are delivered, and those are lost for which
   * there was no room. An allocation that is counted, but of which it cannot be known whether it is
   * still there, is both. It adds up the whole profile: nothing to ask for all the time.
   *
   * @return the counts as they are now, or as {@link Subscription#counts()} has them of one that is
   *     closed
   * @throws IllegalStateException if the environment is closed, and this is not
   */
  public EventCounts counts() {
    EventCounts counts = counting().counts();
    return new EventCounts(
        snapshot().count(), 0, counts.filtered(), counts.suppressed(), counts.lost());
  }

  /**
   * Has nothing more counted. What happens in the same moment may be missing in {@link #snapshot}.
   * Closing it again does nothing, and after the environment is closed there is nothing to close.
   *
   * @throws StalledException if the thread of the library that does it does not answer; it will be
   *     done all the same
   */
  @Override
  public void close() {
    StalledException stalled = null;
    try {
      read();
    } catch (IllegalStateException closed) {
      // With its environment.
    } finally {
      ended = true;
      for (Subscription one : subscriptions) {
        try {
          one.close();
        } catch (StalledException later) {
          stalled = later;
        }
      }
    }
    if (stalled != null) {
      throw stalled;
    }
  }

  private Subscription counting() {
    return subscriptions.get(0);
  }
}
