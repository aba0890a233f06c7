package io.jvmtools.snapshot;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** So many at all, and so many in each second. Without a lock: threads are suspended. */
final class SnapshotQuota {

  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long start = System.nanoTime();
  private final long limit;
  private final int perSecond;
  private final AtomicLong taken = new AtomicLong();

  /** The second in its upper half, and how many were taken in it. */
  private final AtomicLong now = new AtomicLong();

  SnapshotQuota(long limit, int perSecond) {
    this.limit = limit;
    this.perSecond = perSecond;
  }

  /** Whether there may be one more, at this moment: cheap to ask. */
  boolean isLeft() {
    return !isUsedUp() && (now.get() >>> Integer.SIZE != second() || inSecond() < perSecond);
  }

  boolean isUsedUp() {
    return taken.get() >= limit;
  }

  /** Takes one, if there is one left. What is taken of the limit is not given back. */
  boolean take() {
    return takeOfSecond() && taken.getAndUpdate(many -> many < limit ? many + 1 : many) < limit;
  }

  private boolean takeOfSecond() {
    long before;
    long after;
    do {
      long second = second();
      before = now.get();
      if (before >>> Integer.SIZE < second) {
        after = second << Integer.SIZE | 1;
      } else if ((int) before < perSecond) {
        after = before + 1;
      } else {
        return false;
      }
    } while (!now.compareAndSet(before, after));
    return true;
  }

  private int inSecond() {
    return (int) now.get();
  }

  /** From 1 on. */
  private long second() {
    return (System.nanoTime() - start) / SECOND + 1;
  }
}
