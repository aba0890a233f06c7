package io.jvmtools.support;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/**
 * A daemon thread that is in a known state, from the moment it is made until it is closed.
 *
 * <pre>{@code
 * try (Parked worker = Parked.inPark()) {
 *   ThreadState state = JvmTools.getThreadState(worker.thread());
 * }
 * }</pre>
 */
public final class Parked implements AutoCloseable {

  private final Thread thread;
  private final Runnable release;

  private Parked(Thread thread, Runnable release) {
    this.thread = thread;
    this.release = release;
  }

  /** In {@link LockSupport#park()}, without a time-out. */
  public static Parked inPark() {
    Gate gate = new Gate();
    Thread thread = start("parked", gate::park);
    return until(Thread.State.WAITING, thread, () -> gate.open(thread));
  }

  /** In {@link LockSupport#parkNanos(long)}, with a time-out too long to matter. */
  public static Parked inTimedPark() {
    Gate gate = new Gate();
    Thread thread = start("parked for a time", gate::parkForLong);
    return until(Thread.State.TIMED_WAITING, thread, () -> gate.open(thread));
  }

  /** In {@link Object#wait()}. */
  public static Parked inWait() {
    Object monitor = new Object();
    Thread thread = start("waiting", () -> waitOn(monitor));
    return until(Thread.State.WAITING, thread, thread::interrupt);
  }

  /** In {@link Thread#sleep(long)}. */
  public static Parked inSleep() {
    Thread thread = start("sleeping", Parked::sleepForLong);
    return until(Thread.State.TIMED_WAITING, thread, thread::interrupt);
  }

  /** At the entry of a monitor that another thread owns. */
  public static Parked onMonitor() {
    Object monitor = new Object();
    CountDownLatch owned = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Thread owner =
        start(
            "owner",
            () -> {
              synchronized (monitor) {
                owned.countDown();
                await(over);
              }
            });
    await(owned);
    Thread thread = start("blocked", () -> enter(monitor));
    return until(
        Thread.State.BLOCKED,
        thread,
        () -> {
          over.countDown();
          join(owner);
        });
  }

  /** Running Java code, without an end. */
  public static Parked inLoop() {
    Gate gate = new Gate();
    CountDownLatch inside = new CountDownLatch(1);
    Thread thread =
        start(
            "running",
            () -> {
              inside.countDown();
              gate.spin();
            });
    await(inside);
    return until(Thread.State.RUNNABLE, thread, () -> gate.open(thread));
  }

  /**
   * In a body of the caller's, once that has counted down {@code inside}; {@code release} ends it.
   */
  public static Parked in(Runnable body, CountDownLatch inside, Runnable release) {
    Thread thread = start("busy", body);
    await(inside);
    return new Parked(thread, release);
  }

  /** A virtual thread in {@link LockSupport#park()}; for JDK 21 and later. */
  public static Parked virtual() {
    Gate gate = new Gate();
    Thread thread = startVirtual(gate::park);
    return until(Thread.State.WAITING, thread, () -> gate.open(thread));
  }

  /** Whether this JDK has virtual threads. */
  public static boolean hasVirtualThreads() {
    return Installation.feature() >= 21;
  }

  /** A thread that has ended. */
  public static Thread ended() {
    Thread thread = start("ended", () -> {});
    join(thread);
    return thread;
  }

  /** A thread that was never started. */
  public static Thread unstarted() {
    return new Thread(() -> {}, "unstarted");
  }

  /** The thread. */
  public Thread thread() {
    return thread;
  }

  /** Lets it go and waits until it has ended. */
  @Override
  public void close() {
    release.run();
    join(thread);
  }

  private static Parked until(Thread.State state, Thread thread, Runnable release) {
    Eventually.isTrue(thread + " is " + state, () -> thread.getState() == state);
    return new Parked(thread, release);
  }

  private static Thread start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** {@code Thread.startVirtualThread}, which the release that the tests compile for lacks. */
  public static Thread startVirtual(Runnable body) {
    try {
      return (Thread)
          Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, body);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("This JDK has no virtual threads", e);
    }
  }

  private static void waitOn(Object monitor) {
    synchronized (monitor) {
      try {
        while (true) {
          monitor.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void sleepForLong() {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void enter(Object monitor) {
    synchronized (monitor) {
      Thread.currentThread().interrupt();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Gate {

    private volatile boolean open;

    void open(Thread waiting) {
      open = true;
      LockSupport.unpark(waiting);
    }

    void park() {
      while (!open) {
        LockSupport.park(this);
      }
    }

    void parkForLong() {
      while (!open) {
        LockSupport.parkNanos(this, Long.MAX_VALUE);
      }
    }

    void spin() {
      while (!open) {
        Thread.onSpinWait();
      }
    }
  }
}
