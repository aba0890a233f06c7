package io.jvmtools.snapshot;

import io.jvmtools.StalledException;
import io.jvmtools.internal.Rests;
import io.jvmtools.internal.thread.Errand;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands snapshots over to who gets them, one after the other, by a thread that is there as long as
 * there is something to hand over: nothing that waits keeps an environment that nobody else does.
 * Who adds one takes no lock and does not wait.
 */
final class SnapshotHandover {

  /** So many may wait. */
  private static final int ROOM = 1_000;

  /** What {@link #flush} waits for. */
  static final class Due {
    private final @Nullable Object what;
    volatile boolean isOver;

    Due(@Nullable Object what) {
      this.what = what;
    }
  }

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
  private static final long SHORTLY = TimeUnit.SECONDS.toNanos(1);

  private final Consumer<? super Snapshot> consumer;
  private final Consumer<? super Throwable> onError;

  /** Snapshots, and what was thrown where one was to be taken: each until it is handed over. */
  private final Queue<Due> waiting = new ConcurrentLinkedQueue<>();

  /** Those about to be taken: by whom and in which order does not matter. */
  private final Queue<Due> begun = new ConcurrentLinkedQueue<>();

  private final AtomicInteger size = new AtomicInteger();
  private final Errand errand = new Errand(Errand.SNAPSHOTS, this::handOverAll);
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();

  SnapshotHandover(Consumer<? super Snapshot> consumer, Consumer<? super Throwable> onError) {
    this.consumer = consumer;
    this.onError = onError;
  }

  /**
   * One is about to be taken, for which {@link #flush} waits until it says that it is over. Those
   * that have said so are forgotten.
   */
  void begin(Due one) {
    // No lambda: linking one could wait for a suspended thread.
    Iterator<Due> all = begun.iterator();
    while (all.hasNext()) {
      if (all.next().isOver) {
        all.remove();
      }
    }
    begun.add(one);
  }

  void add(Snapshot snapshot) {
    if (!put(snapshot)) {
      lost.incrementAndGet();
    }
  }

  void fail(Throwable thrown) {
    put(thrown);
  }

  /** How often who gets the snapshots has thrown something. */
  long failed() {
    return failed.get();
  }

  long lost() {
    return lost.get();
  }

  private boolean put(Object one) {
    if (size.incrementAndGet() > ROOM) {
      size.decrementAndGet();
      return false;
    }
    boolean isAdded = false;
    try {
      waiting.add(new Due(one));
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
    if (Errand.isCurrent()) {
      return true;
    }
    if (!await(begun, end)) {
      return false;
    }
    if (!waiting.isEmpty()) {
      // Whoever was about to hand them over may have been stopped.
      errand.ask();
    }
    return await(waiting, end);
  }

  private static boolean await(Queue<Due> all, long end) {
    for (Due one : List.copyOf(all)) {
      if (!await(() -> one.isOver, end)) {
        return false;
      }
    }
    return true;
  }

  private static boolean await(BooleanSupplier isSo, long end) {
    boolean holds = isSo.getAsBoolean();
    while (!holds && System.nanoTime() - end < 0) {
      Rests.forNanos(TimeUnit.MILLISECONDS.toNanos(1));
      holds = isSo.getAsBoolean();
    }
    return holds;
  }

  private void handOverAll() {
    for (Due first = waiting.peek(); first != null; first = waiting.peek()) {
      try {
        if (!first.isOver) {
          handOver(first.what);
        }
      } finally {
        first.isOver = true;
        waiting.remove(first);
        size.decrementAndGet();
      }
    }
  }

  private void handOver(@Nullable Object one) {
    try {
      if (one instanceof Snapshot snapshot) {
        consumer.accept(snapshot);
      } else {
        onError.accept((Throwable) one);
      }
    } catch (Throwable thrown) {
      failed.incrementAndGet();
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
