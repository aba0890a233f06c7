package io.jvmtools.internal;

/** Suspensions that end by themselves: a native thread, the watchdog, resumes when time is up. */
public final class SuspensionNatives {

  private SuspensionNatives() {}

  /** The watchdog, started and attached if it is not there yet. */
  public static native Thread watchdog(long env);

  /**
   * SuspendThreadList, and after {@code nanos} ResumeThreadList by the watchdog. Fills in a {@code
   * jvmtiError} for each thread and answers a token for {@link #end(long, long)}.
   */
  public static native long begin(long env, Thread[] threads, long nanos, int[] codes);

  /**
   * ResumeThreadList for what {@code begin} has suspended; false if the watchdog has done it
   * already.
   */
  public static native boolean end(long env, long token);
}
