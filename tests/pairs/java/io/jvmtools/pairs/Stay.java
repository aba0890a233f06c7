package io.jvmtools.pairs;

import java.time.Duration;

/**
 * For how long a thread has been inside a call, without the time for which the disturber has made
 * it stand. Takes no lock: its thread is suspended anywhere.
 */
final class Stay {

  private record Inside(String what, long since, long stoodBefore, long bound) {}

  /** So long it has stood, and since when it stands again, 0 if it goes. */
  private record Standing(long before, long since) {

    long until(long now) {
      return since == 0 ? before : before + now - since;
    }
  }

  private volatile Inside inside;
  private volatile Standing standing = new Standing(0, 0);
  private volatile long calls;

  /** The thread goes in. */
  void enter(String what, Duration bound) {
    long now = System.nanoTime();
    inside = new Inside(what, now, standing.until(now), bound.toNanos());
  }

  /** The thread is out again. Answers how long it was inside, in nanoseconds. */
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // One thread writes it.
  long leave() {
    long stayed = lasting();
    inside = null;
    calls++;
    return stayed;
  }

  /** How often it has come out. */
  long calls() {
    return calls;
  }

  boolean isInside() {
    return inside != null;
  }

  /** The disturber is about to make it stand. */
  void stands() {
    if (standing.since == 0) {
      standing = new Standing(standing.before, System.nanoTime());
    }
  }

  /** The disturber has let it go. */
  void goes() {
    standing = new Standing(standing.until(System.nanoTime()), 0);
  }

  boolean isTooLong() {
    Inside now = inside;
    return now != null && lasting() > now.bound;
  }

  private long lasting() {
    Inside now = inside;
    long time = System.nanoTime();
    return now == null ? 0 : time - now.since - (standing.until(time) - now.stoodBefore);
  }

  @Override
  public String toString() {
    Inside now = inside;
    String stands = standing.since == 0 ? "" : ", made to stand";
    return now == null
        ? "outside" + stands
        : "for " + lasting() / 1_000_000 + " ms inside " + now.what + stands;
  }
}
