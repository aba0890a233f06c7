package io.jvmtools.neighbour;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What came out right, what came out wrong, and how long it took. */
final class Results {

  private static final int MOST_TOLD = 10;

  private final String whose;
  private final LongAdder right = new LongAdder();
  private final AtomicLong wrong = new AtomicLong();
  private final Waits waits = new Waits();

  Results(String whose) {
    this.whose = whose;
  }

  /** Something is as it should be, after so many nanoseconds. */
  void right(long nanos) {
    right.increment();
    waits.add(nanos);
  }

  /** Something is not as it should be; the log has the first few. */
  void wrong(String what) {
    if (wrong.incrementAndGet() <= MOST_TOLD) {
      System.err.println("WRONG, " + whose + ": " + what);
    }
  }

  /** Something failed. */
  void wrong(String what, Throwable failure) {
    wrong(what + ": " + failure);
    if (wrong.get() <= MOST_TOLD) {
      failure.printStackTrace();
    }
  }

  /** What must hold. */
  void check(boolean holds, String otherwise) {
    if (!holds) {
      wrong(otherwise);
    }
  }

  long right() {
    return right.sum();
  }

  long wrong() {
    return wrong.get();
  }

  Waits waits() {
    return waits;
  }
}
