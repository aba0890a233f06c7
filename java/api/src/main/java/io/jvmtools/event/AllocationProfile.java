package io.jvmtools.event;

/** Allocations that are counted by where they happen, and which of the objects are still there. */
public final class AllocationProfile extends Profile {

  AllocationProfile(Delivery delivery, Subscription subscription) {
    super(delivery, ProfileUnit.BYTES, subscription);
  }

  /**
   * What of the objects that were counted has not been collected. Those that nobody can reach are
   * there until the JVM has looked: {@link System#gc()} has it look. No more than 65,536 objects
   * are looked after at once, the first ones; what is allocated while so many are there counts as
   * lost, though not in {@link #snapshot()}. So with small intervals, or large heaps, it says less.
   *
   * @return how many there are of each, and how many bytes they stand for; nothing once this is
   *     closed
   * @throws IllegalStateException if the environment is closed, and this is not
   */
  public ProfileSnapshot live() {
    return stillThere();
  }
}
