package io.jvmtools.internal.thread;

import java.util.concurrent.atomic.AtomicBoolean;

/** A thread of the library's own, which keeps no class loader and no JVM from ending. */
public class LibraryThread extends Thread {

  /** What tells listeners of what was recorded. */
  public static final String EVENTS = "jvmtools-events";

  /** What follows the places of breakpoints. */
  public static final String PLACES = "jvmtools-places";

  /** What hands over snapshots. */
  public static final String SNAPSHOTS = "jvmtools-snapshots";

  /**
   * Makes one, which is not started.
   *
   * @param name its name, one of those here
   * @param deed what it does, unless its class does something else
   */
  public LibraryThread(String name, Runnable deed) {
    super(null, deed, name, 0, false);
    setDaemon(true);
    setContextClassLoader(null);
  }

  /**
   * Starts one, unless that has been done; if it cannot be started, the next who comes tries again.
   *
   * @param begun whether it has been done
   * @param name its name, one of those here
   * @param deed what it does
   */
  public static void startOnce(AtomicBoolean begun, String name, Runnable deed) {
    if (begun.compareAndSet(false, true)) {
      boolean started = false;
      try {
        new LibraryThread(name, deed).start();
        started = true;
      } finally {
        if (!started) {
          begun.set(false);
        }
      }
    }
  }
}
