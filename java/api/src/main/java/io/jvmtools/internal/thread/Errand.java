package io.jvmtools.internal.thread;

/**
 * What a thread of the library's own does for others, who do not wait for it. The thread is there
 * as long as it takes and a tenth of a second longer; in between none of Java's frames keeps a
 * class loader.
 */
public final class Errand {

  /** The thread that follows the places of breakpoints. */
  public static final String PLACES = "jvmtools-places";

  /** The thread that hands over snapshots. */
  public static final String SNAPSHOTS = "jvmtools-snapshots";

  private final long number = ErrandNatives.number();
  private final String name;
  private final Runnable deed;

  /**
   * Makes one that is not asked for yet.
   *
   * @param name the thread's name, one of those here
   * @param deed what it does, which throws nothing that anybody would hear of
   */
  public Errand(String name, Runnable deed) {
    this.name = name;
    this.deed = deed;
  }

  /**
   * Has it done from now on; those who ask while it is under way share one more time. No thread
   * that asks and is suspended meanwhile keeps others from it, wherever it stands, nor does one
   * that has done it and waits for more; only one that is suspended while it does it.
   *
   * @throws IllegalStateException if no thread can be started
   */
  public void ask() {
    ErrandNatives.ask(number, name, deed);
  }

  /**
   * Whether the calling thread is on one.
   *
   * @return so
   */
  public static boolean isCurrent() {
    return ErrandNatives.isCurrent();
  }
}
