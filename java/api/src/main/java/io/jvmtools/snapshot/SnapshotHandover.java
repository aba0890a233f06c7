package io.jvmtools.snapshot;

import io.jvmtools.StalledException;
import io.jvmtools.internal.thread.LibraryThread;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
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

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);

  private final Consumer<? super Snapshot> consumer;
  private final Consumer<? super Throwable> onError;

  /** Snapshots, and what was thrown where one was to be taken. */
  private final ConcurrentLinkedQueue<Object> waiting = new ConcurrentLinkedQueue<>();

  private final AtomicInteger size = new AtomicInteger();
  private final AtomicBoolean runs = new AtomicBoolean();
  private final LongAdder lost = new LongAdder();
  private final LongAdder added = new LongAdder();
  private final AtomicLong handedOver = new AtomicLong();

  SnapshotHandover(Consumer<? super Snapshot> consumer, Consumer<? super Throwable> onError) {
    this.consumer = consumer;
    this.onError = onError;
  }

  /** Whether the calling thread is one that hands over. */
  static boolean isCurrent() {
    return Thread.currentThread() instanceof Deliverer;
  }

  void add(Snapshot snapshot) {
    if (!put(snapshot)) {
      lost.increment();
    }
  }

  void fail(Throwable thrown) {
    put(thrown);
  }

  long lost() {
    return lost.sum();
  }

  private boolean put(Object one) {
    if (size.incrementAndGet() > ROOM) {
      size.decrementAndGet();
      return false;
    }
    added.increment();
    waiting.add(one);
    start();
    return true;
  }

  private void start() {
    if (runs.compareAndSet(false, true)) {
      boolean started = false;
      try {
        new Deliverer().start();
        started = true;
      } finally {
        if (!started) {
          runs.set(false);
        }
      }
    }
  }

  /** Waits for what was added before, unless this is who hands it over. */
  void flush() {
    if (isCurrent()) {
      return;
    }
    long all = added.sum();
    long end = System.nanoTime() + PATIENCE;
    while (handedOver.get() < all) {
      if (System.nanoTime() - end > 0) {
        throw new StalledException("who gets the snapshots takes longer than five seconds");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
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

  private final class Deliverer extends LibraryThread {

    Deliverer() {
      super(SNAPSHOTS, () -> {});
    }

    @Override
    public void run() {
      do {
        for (Object one = next(); one != null; one = next()) {
          handOver(one);
          handedOver.incrementAndGet();
        }
        runs.set(false);
      } while (!waiting.isEmpty() && runs.compareAndSet(false, true));
    }

    private @Nullable Object next() {
      Object one = waiting.poll();
      if (one != null) {
        size.decrementAndGet();
      }
      return one;
    }
  }
}
