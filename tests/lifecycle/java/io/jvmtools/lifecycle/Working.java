package io.jvmtools.lifecycle;

import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import java.util.function.Consumer;

/** A daemon thread that does the same over and over and counts how often. */
final class Working implements AutoCloseable {

  private final Parked other = Parked.inPark();
  private final Thread thread;
  private volatile int done;
  private volatile boolean over;
  private volatile Throwable failure;

  /** Does {@code once}, which may need a parked thread that is its own, until it is closed. */
  Working(Consumer<Thread> once) {
    thread = new Thread(() -> repeat(once), "working");
    thread.setDaemon(true);
    thread.start();
    works();
  }

  Thread thread() {
    return thread;
  }

  /** Returns when it has done it once more. */
  void works() {
    int before = done;
    Eventually.isTrue("it works", () -> done != before || failure != null);
    succeeds();
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
    other.close();
    succeeds();
  }

  private void succeeds() {
    if (failure != null) {
      throw new AssertionError("It failed", failure);
    }
  }

  @SuppressWarnings("NonAtomicOperationOnVolatileField") // One thread writes it.
  private void repeat(Consumer<Thread> once) {
    try {
      while (!over) {
        once.accept(other.thread());
        done++;
      }
    } catch (RuntimeException | Error e) {
      failure = e;
    }
  }
}
