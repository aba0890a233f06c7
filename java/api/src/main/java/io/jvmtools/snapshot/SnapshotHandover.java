package io.jvmtools.snapshot;

import io.jvmtools.StalledException;
import io.jvmtools.internal.thread.Errand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Hands snapshots over to who gets them, one after the other, by a thread that is there as long as
 * there is something to hand over: nothing that waits keeps an environment that nobody else does.
 * Who adds one takes no lock and does not wait.
 */
final class SnapshotHandover {

  /** So many may wait. */
  private static final int ROOM = 1_000;

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
  private static final long SHORTLY = TimeUnit.SECONDS.toNanos(1);

  private final Consumer<? super Snapshot> consumer;
  private final Consumer<? super Throwable> onError;

  /** Snapshots, and what was thrown where one was to be taken. */
  private final ConcurrentLinkedQueue<Object> waiting = new ConcurrentLinkedQueue<>();

  /** Those about to be taken: by whom and in which order does not matter. */
  private final ConcurrentLinkedQueue<Object> begun = new ConcurrentLinkedQueue<>();

  private final AtomicInteger size = new AtomicInteger();
  private final Errand errand = new Errand(Errand.SNAPSHOTS, this::handOverAll);
  private final LongAdder lost = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder added = new LongAdder();
  private final AtomicLong handedOver = new AtomicLong();

  SnapshotHandover(Consumer<? super Snapshot> consumer, Consumer<? super Throwable> onError) {
    this.consumer = consumer;
    this.onError = onError;
  }

  /**
   * One is about to be taken, for which {@link #flush} waits until that is {@linkplain #end over}.
   */
  Object begin() {
    Object one = new Object();
    begun.add(one);
    return one;
  }

  void end(Object one) {
    begun.remove(one);
  }

  void add(Snapshot snapshot) {
    if (!put(snapshot)) {
      lost.increment();
    }
  }

  void fail(Throwable thrown) {
    put(thrown);
  }

  /** How often who gets the snapshots has thrown something. */
  long failed() {
    return failed.sum();
  }

  long lost() {
    return lost.sum();
  }

  private boolean put(Object one) {
    if (size.incrementAndGet() > ROOM) {
      size.decrementAndGet();
      return false;
    }
    boolean isAdded = false;
    try {
      waiting.add(one);
      added.increment();
      isAdded = true;
    } finally {
      if (!isAdded) {
        size.decrementAndGet();
      }
    }
    errand.ask();
    return true;
  }

  /** Waits for what was added before, unless this is who hands it over. */
  void flush() {
    if (!await(PATIENCE)) {
      throw new StalledException(
          "who gets the snapshots, or a thread of which one is taken, takes longer than five"
              + " seconds");
    }
  }

  /** The same, but not for long. */
  void awaitShortly() {
    await(SHORTLY);
  }

  private boolean await(long nanos) {
    long end = System.nanoTime() + nanos;
    List<Object> before = new ArrayList<>(begun);
    if (Errand.isCurrent() || !await(() -> Collections.disjoint(begun, before), end)) {
      return Errand.isCurrent();
    }
    long all = added.sum();
    return await(() -> handedOver.get() >= all, end);
  }

  private static boolean await(BooleanSupplier isSo, long end) {
    while (!isSo.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        return false;
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return true;
  }

  private void handOverAll() {
    for (Object one = waiting.poll(); one != null; one = waiting.poll()) {
      size.decrementAndGet();
      try {
        handOver(one);
      } finally {
        handedOver.incrementAndGet();
      }
    }
  }

  private void handOver(Object one) {
    try {
      if (one instanceof Snapshot snapshot) {
        consumer.accept(snapshot);
      } else {
        onError.accept((Throwable) one);
      }
    } catch (Throwable thrown) {
      failed.increment();
      report(thrown);
    }
  }

  private void report(Throwable thrown) {
    try {
      onError.accept(thrown);
    } catch (Throwable again) {
      // There is nobody else to tell.
    }
  }
}
