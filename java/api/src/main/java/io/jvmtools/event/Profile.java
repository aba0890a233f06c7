package io.jvmtools.event;

import io.jvmtools.StalledException;
import java.util.List;

/**
 * Events that are counted by where they happen, until this is closed, or the environment is. It is
 * done in native code: no Java runs for any of them, and the thread waits for nobody.
 */
public sealed class Profile implements AutoCloseable permits AllocationProfile {

  private final Delivery delivery;
  private final ProfileUnit unit;

  /** The one that counts comes first. */
  private final List<Subscription> subscriptions;

  private volatile Counted last = Counted.NOTHING;
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
    read();
    return last.snapshot(unit);
  }

  private void read() {
    Counted counted = ended ? null : delivery.counted(counting(), false);
    if (counted != null) {
      last = counted;
    }
  }

  /** What is still there. */
  ProfileSnapshot stillThere() {
    Counted counted = ended ? null : delivery.counted(counting(), true);
    return (counted == null ? Counted.NOTHING : counted).snapshot(unit);
  }

  /**
   * What became of the events: those that are counted are delivered, and those are lost for which
   * there was no room.
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
   * Has nothing more counted. Closing it again does nothing, and after the environment is closed
   * there is nothing to close.
   *
   * @throws StalledException if the thread of the library that does it does not answer; it will be
   *     done all the same
   */
  @Override
  public void close() {
    try {
      read();
    } catch (IllegalStateException closed) {
      // With its environment.
    }
    ended = true;
    subscriptions.forEach(Subscription::close);
  }

  private Subscription counting() {
    return subscriptions.get(0);
  }
}
