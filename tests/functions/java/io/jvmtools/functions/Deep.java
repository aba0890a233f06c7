package io.jvmtools.functions;

import io.jvmtools.support.Eventually;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** A daemon thread, platform or virtual, that is parked a number of frames below its start. */
public final class Deep implements AutoCloseable {

  private static final long STACK_SIZE = 64L << 20;

  private final Bottom bottom;
  private final Thread thread;

  private Deep(Bottom bottom, Thread thread) {
    this.bottom = bottom;
    this.thread = thread;
    Eventually.isTrue(
        thread + " is parked", () -> bottom.reached && thread.getState() == Thread.State.WAITING);
  }

  /** A platform thread with so many recursive calls on its stack. */
  public static Deep platform(int calls) {
    return platform(calls, UnaryOperator.identity());
  }

  /** A platform thread whose calls are made by what {@code around} makes of them. */
  public static Deep platform(int calls, UnaryOperator<Runnable> around) {
    Bottom bottom = new Bottom(calls);
    Thread thread = new Thread(null, around.apply(bottom), "deep " + calls, STACK_SIZE);
    thread.setDaemon(true);
    thread.start();
    return new Deep(bottom, thread);
  }

  /** A virtual thread with so many recursive calls on its stack. */
  public static Deep virtual(int calls) {
    Bottom bottom = new Bottom(calls);
    return new Deep(bottom, VirtualThreads.start("deep " + calls, bottom));
  }

  public Thread thread() {
    return thread;
  }

  /** Lets it go and waits until it has ended. */
  @Override
  public void close() {
    bottom.over = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Bottom implements Runnable {

    private final int calls;
    private volatile boolean reached;
    private volatile boolean over;

    Bottom(int calls) {
      this.calls = calls;
    }

    @Override
    public void run() {
      descend(calls);
    }

    private void descend(int remaining) {
      if (remaining > 0) {
        descend(remaining - 1);
        return;
      }
      reached = true;
      while (!over) {
        LockSupport.park(this);
      }
    }
  }
}
