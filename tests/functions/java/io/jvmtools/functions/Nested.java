package io.jvmtools.functions;

import io.jvmtools.support.Eventually;
import java.util.concurrent.locks.LockSupport;

/** A daemon thread, platform or virtual, that is parked in three monitors of two methods. */
public final class Nested implements AutoCloseable {

  private final Body body = new Body();
  private final Thread thread;

  private Nested(boolean virtual) {
    if (virtual) {
      thread = VirtualThreads.start("nested", body);
    } else {
      thread = new Thread(body, "nested");
      thread.setDaemon(true);
      thread.start();
    }
    Eventually.isTrue(
        thread + " is parked", () -> body.reached && thread.getState() == Thread.State.WAITING);
  }

  public static Nested platform() {
    return new Nested(false);
  }

  /** For JDK 21 and later. */
  public static Nested virtual() {
    return new Nested(true);
  }

  public Thread thread() {
    return thread;
  }

  /** Entered by {@code outside}, and once more by {@code inside}. */
  public Object twice() {
    return body.twice;
  }

  /** Entered by {@code outside}. */
  public Object outer() {
    return body.outer;
  }

  /** Entered by {@code inside}. */
  public Object inner() {
    return body.inner;
  }

  /** Lets it go and waits until it has ended. */
  @Override
  public void close() {
    body.over = true;
    LockSupport.unpark(thread);
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Body implements Runnable {

    private final Object twice = new Object();
    private final Object outer = new Object();
    private final Object inner = new Object();
    private volatile boolean reached;
    private volatile boolean over;

    @Override
    public void run() {
      outside();
    }

    private void outside() {
      synchronized (twice) {
        synchronized (outer) {
          inside();
        }
      }
    }

    private void inside() {
      synchronized (inner) {
        synchronized (twice) {
          reached = true;
          while (!over) {
            LockSupport.park();
          }
        }
      }
    }
  }
}
