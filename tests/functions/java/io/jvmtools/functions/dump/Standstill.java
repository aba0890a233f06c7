package io.jvmtools.functions.dump;

import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** A program in which nothing moves any more, most of it because it is deadlocked. For a child. */
public final class Standstill {

  public static final int DEPTH = 3_000;

  private final Map<String, Thread> threads = new LinkedHashMap<>();

  private final Object red = new Object();
  private final Object blue = new StringBuilder();
  private final Object forBoth = new Object();
  private final ReentrantLock shared = new ReentrantLock();
  private final ReentrantLock[] locks = {
    new ReentrantLock(), new ReentrantLock(true), new ReentrantLock()
  };

  /** Starts everybody and returns when nobody moves. */
  public static Standstill reached() {
    Standstill standstill = new Standstill();
    standstill.monitors();
    standstill.locks();
    standstill.mixed();
    standstill.others();
    if (Parked.hasVirtualThreads()) {
      standstill.virtual();
    }
    return standstill;
  }

  /** By name, in the order in which they were started. */
  public Map<String, Thread> threads() {
    return threads;
  }

  public Thread thread(String name) {
    return threads.get(name);
  }

  public Object blue() {
    return blue;
  }

  private void monitors() {
    CountDownLatch both = new CountDownLatch(2);
    platform("left", () -> inOneThenTheOther(red, blue, both));
    platform("right", () -> inOneThenTheOther(blue, red, both));
    until("left", Thread.State.BLOCKED);
    until("right", Thread.State.BLOCKED);
    platform("behind", () -> enter(blue));
    until("behind", Thread.State.BLOCKED);
  }

  private void locks() {
    CountDownLatch all = new CountDownLatch(3);
    for (int i = 0; i < 3; i++) {
      ReentrantLock first = locks[i];
      ReentrantLock second = locks[(i + 1) % 3];
      platform("lock " + i, () -> lockOneThenTheOther(first, second, all));
    }
    for (int i = 0; i < 3; i++) {
      until(locks[(i + 1) % 3], "lock " + i);
    }
  }

  private void mixed() {
    CountDownLatch both = new CountDownLatch(2);
    platform(
        "mixed monitor",
        () -> {
          synchronized (forBoth) {
            meet(both);
            shared.lock();
          }
        });
    platform(
        "mixed lock",
        () -> {
          shared.lock();
          meet(both);
          enter(forBoth);
        });
    until("mixed lock", Thread.State.BLOCKED);
    until(shared, "mixed monitor");
  }

  private void others() {
    platform("waiter", this::await);
    platform("sleeper", Standstill::sleep);
    platform("timed", () -> LockSupport.parkNanos(this, Long.MAX_VALUE));
    platform("deep", () -> dive(DEPTH));
    threads.get("sleeper").setPriority(7);
    until("waiter", Thread.State.WAITING);
    until("sleeper", Thread.State.TIMED_WAITING);
    until("timed", Thread.State.TIMED_WAITING);
    until("deep", Thread.State.WAITING);
  }

  private void virtual() {
    Object one = new Object();
    Object other = new Object();
    CountDownLatch both = new CountDownLatch(2);
    for (String name : new String[] {"virtual left", "virtual right"}) {
      boolean left = name.endsWith("left");
      Runnable body =
          left
              ? () -> inOneThenTheOther(one, other, both)
              : () -> inOneThenTheOther(other, one, both);
      threads.put(name, VirtualThreads.start(name, body));
    }
    until("virtual left", Thread.State.BLOCKED);
    until("virtual right", Thread.State.BLOCKED);
  }

  private static void inOneThenTheOther(Object one, Object other, CountDownLatch both) {
    synchronized (one) {
      meet(both);
      enter(other);
    }
  }

  private static void lockOneThenTheOther(
      ReentrantLock one, ReentrantLock other, CountDownLatch all) {
    one.lock();
    meet(all);
    other.lock();
  }

  private static void enter(Object monitor) {
    synchronized (monitor) {
      Thread.currentThread().interrupt();
    }
  }

  private void await() {
    Object own = new Object();
    synchronized (own) {
      try {
        own.wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void dive(int left) {
    if (left == 0) {
      LockSupport.park();
    } else {
      dive(left - 1);
    }
  }

  private static void meet(CountDownLatch everybody) {
    everybody.countDown();
    try {
      everybody.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void platform(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    threads.put(name, thread);
    thread.start();
  }

  private void until(ReentrantLock lock, String name) {
    Thread thread = threads.get(name);
    Eventually.isTrue(name + " waits for its lock", () -> lock.hasQueuedThread(thread));
    until(name, Thread.State.WAITING);
  }

  private void until(String name, Thread.State state) {
    Thread thread = threads.get(name);
    Eventually.isTrue(name + " is " + state, () -> thread.getState() == state);
  }
}
