package io.jvmtools.functions.event;

import io.jvmtools.JvmTools;
import io.jvmtools.support.Eventually;

/** A thread that wants a monitor which the caller has. */
final class Contended {

  private Contended() {}

  /** Has a new thread want the monitor, and lets it have that once it waits for it. */
  static Thread once(Object monitor) throws InterruptedException {
    Thread wants = wanting(monitor);
    waitFor(wants, monitor);
    return wants;
  }

  /** A thread that will want the monitor, not started. */
  static Thread wanting(Object monitor) {
    return new Thread(() -> take(monitor), "wants");
  }

  /**
   * Starts the thread while this one has the monitor, until it waits for that; and waits for its
   * end.
   */
  static void waitFor(Thread wants, Object monitor) throws InterruptedException {
    synchronized (monitor) {
      wants.start();
      Eventually.isTrue("it is blocked", () -> isBlocked(wants));
    }
    wants.join();
  }

  static boolean isBlocked(Thread thread) {
    return JvmTools.getThreadState(thread).isBlockedOnMonitorEnter();
  }

  private static void take(Object monitor) {
    synchronized (monitor) {
      monitor.hashCode();
    }
  }
}
