package io.jvmtools.functions;

import io.jvmtools.support.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** An object whose monitor one thread has entered twice, two want to enter, and one waits on. */
public final class Contention implements AutoCloseable {

  private final Object object = new Object();
  private final CountDownLatch over = new CountDownLatch(1);
  private final Thread waiter = start("waiter", this::waitOnIt);
  private final Thread owner;
  private final List<Thread> entering = new ArrayList<>();

  public Contention() {
    until(waiter, Thread.State.WAITING);
    owner = start("owner", this::own);
    until(owner, Thread.State.WAITING);
    for (int i = 0; i < 2; i++) {
      Thread thread = start("entering " + i, this::enter);
      until(thread, Thread.State.BLOCKED);
      entering.add(thread);
    }
  }

  public Object object() {
    return object;
  }

  public Thread owner() {
    return owner;
  }

  public Thread waiter() {
    return waiter;
  }

  public List<Thread> entering() {
    return entering;
  }

  @Override
  public void close() {
    over.countDown();
    join(owner);
    entering.forEach(Contention::join);
    waiter.interrupt();
    join(waiter);
  }

  private void waitOnIt() {
    synchronized (object) {
      try {
        while (true) {
          object.wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void own() {
    synchronized (object) {
      synchronized (object) {
        try {
          over.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  private void enter() {
    synchronized (object) {
      Thread.currentThread().interrupt();
    }
  }

  private static Thread start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void until(Thread thread, Thread.State state) {
    Eventually.isTrue(thread + " is " + state, () -> thread.getState() == state);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
