package io.jvmtools.support;

import java.time.Duration;

/** A daemon thread that does nothing but count, so that one can see whether it runs. */
public final class Counting implements AutoCloseable {

  /** Long enough for a running thread to count, whatever else the machine does. */
  private static final long WHILE = Duration.ofMillis(50).toNanos();

  private final Thread thread;
  private volatile long count;
  private volatile boolean over;

  private Counting(boolean virtual) {
    if (virtual) {
      thread = Parked.startVirtual(this::countUp);
    } else {
      thread = new Thread(this::countUp, "counting");
      thread.setDaemon(true);
      thread.start();
    }
    runs();
  }

  /** A platform thread that counts. */
  public static Counting platform() {
    return new Counting(false);
  }

  /**
   * A virtual thread that counts; for JDK 21 and later. It never leaves its carrier: one that parks
   * may be suspended while it owns a lock of the scheduler, and keeps all others from running.
   */
  public static Counting virtual() {
    return new Counting(true);
  }

  /** The thread. */
  public Thread thread() {
    return thread;
  }

  /** How far it has come. */
  public long count() {
    return count;
  }

  /** Whether it does not count for a while. Loads no class and takes no lock. */
  public boolean stands() {
    long before = count;
    long start = System.nanoTime();
    while (System.nanoTime() - start < WHILE) {
      if (count != before) {
        return false;
      }
      Thread.yield();
    }
    return true;
  }

  /** Returns when it counts. Loads no class and takes no lock as long as that comes true. */
  public void runs() {
    long before = count;
    Eventually.isTrue("it counts", () -> count != before);
  }

  /** Ends it, unless it is suspended for good. */
  @Override
  public void close() {
    over = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("NonAtomicOperationOnVolatileField") // One thread writes it.
  private void countUp() {
    while (!over) {
      count++;
    }
  }
}
