package io.jvmtools.internal.thread;

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
}
