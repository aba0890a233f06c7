package io.jvmtools.benches;

import io.jvmtools.functions.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A program at rest, in groups of five: one parked under many frames, one that owns a monitor and a
 * lock, one each that waits for these, and one in {@link Object#wait()}. All of them stay until the
 * JVM ends.
 */
final class Crowd {

  private static final int GROUP = 5;
  private static final int FRAMES = 20;

  /** Before JDK 24 a virtual thread that is in a monitor keeps its carrier. */
  private static final boolean VIRTUAL_MONITORS = Runtime.version().feature() >= 24;

  private final List<Thread> threads = new ArrayList<>();

  private Crowd() {}

  /** So many platform threads and, where there are any, so many virtual ones. */
  static Crowd atRest(int platform, int virtual) throws InterruptedException {
    Crowd crowd = new Crowd();
    for (int i = 0; i < platform / GROUP; i++) {
      crowd.group(Crowd::startPlatform, true);
    }
    if (Runtime.version().feature() >= 21) {
      for (int i = 0; i < virtual / GROUP; i++) {
        crowd.group(VirtualThreads::start, VIRTUAL_MONITORS);
      }
    }
    for (Thread thread : crowd.threads) {
      while (thread.getState() != Thread.State.WAITING
          && thread.getState() != Thread.State.BLOCKED) {
        Thread.sleep(1);
      }
    }
    return crowd;
  }

  List<Thread> threads() {
    return threads;
  }

  private void group(Start start, boolean monitors) throws InterruptedException {
    Object monitor = new Object();
    Object awaited = new Object();
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch owned = new CountDownLatch(1);
    int number = threads.size() / GROUP;
    threads.add(start.run("owner " + number, () -> own(monitors ? monitor : null, lock, owned)));
    owned.await();
    threads.add(start.run("deep " + number, () -> Deep.run(FRAMES, Crowd::park)));
    threads.add(start.run("locking " + number, lock::lock));
    threads.add(start.run("blocked " + number, monitors ? () -> enter(monitor) : Crowd::park));
    threads.add(start.run("waiting " + number, monitors ? () -> await(awaited) : Crowd::park));
  }

  private static void own(Object monitor, ReentrantLock lock, CountDownLatch owned) {
    lock.lock();
    if (monitor == null) {
      owned.countDown();
      park();
      return;
    }
    synchronized (monitor) {
      owned.countDown();
      park();
    }
  }

  private static void enter(Object monitor) {
    synchronized (monitor) {
      park();
    }
  }

  private static void await(Object awaited) {
    synchronized (awaited) {
      try {
        awaited.wait();
      } catch (InterruptedException over) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void park() {
    while (true) {
      LockSupport.park();
    }
  }

  private static Thread startPlatform(String name, Runnable body) {
    Thread thread = new Thread(null, body, name, 256 << 10);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Starts a thread of a kind. */
  private interface Start {
    Thread run(String name, Runnable body);
  }
}
