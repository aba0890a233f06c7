package io.jvmtools.internal.dump;

/** What a thread dump needs, read in one call so that no Java runs while others are suspended. */
public final class DumpNatives {

  /** All threads but the calling one stand still while they are read. */
  public static final int SUSPEND = 1;

  /** CPU times. */
  public static final int CPU = 2;

  /** Owned monitors, with the depths of their frames. */
  public static final int MONITORS = 4;

  /** Monitors that threads wait for. */
  public static final int CONTENDED = 8;

  /** Local variables; only with {@link #SUSPEND}. */
  public static final int LOCALS = 16;

  /**
   * Who owns the monitors that threads are blocked on, where the JVM does not tell the monitors
   * that virtual threads own; only with {@link #MONITORS} and {@link #CONTENDED}.
   */
  public static final int OWNERS = 32;

  private DumpNatives() {}

  /** The virtual threads that the JDK keeps track of; none before JDK 21. */
  public static native Thread[] virtualThreads(long env);

  /**
   * Stacks of all platform threads and of some virtual ones, a {@link DumpFacts}.
   *
   * @param env the environment
   * @param virtual the virtual threads to read too
   * @param nanos for how long threads may be suspended
   * @param parts what else to read, a sum of the constants
   * @return the facts
   */
  public static native Object collect(long env, Thread[] virtual, long nanos, int parts);

  /** What {@link Thread#getId} answers, whatever a subclass has put in its place. */
  public static native long threadId(Thread thread);
}
