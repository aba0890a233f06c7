package io.jvmtools.internal;

/**
 * Suspensions that end by themselves: one native thread, the steward, suspends for all others, and
 * another one, the watchdog, resumes, at the latest when time is up.
 */
public final class SuspensionNatives {

  private SuspensionNatives() {}

  /** The watchdog and the steward, started and attached if they are not there yet. */
  public static native Thread[] ownThreads(long env);

  /**
   * SuspendThreadList by the steward, and after {@code nanos} ResumeThreadList by the watchdog.
   *
   * @param env the environment
   * @param threads the threads
   * @param nanos for how long
   * @param allOthers whether these are all threads but the calling one: then it waits until nobody
   *     else has that
   * @param answer filled in for {@link #end} with what is not 0, and after it with a {@code
   *     jvmtiError} for each thread
   */
  public static native void begin(
      long env, Thread[] threads, long nanos, boolean allOthers, long[] answer);

  /**
   * ResumeThreadList by the watchdog for what {@code begin} has suspended, and returns when that is
   * done; false if it had begun to do so before, because time was up.
   */
  public static native boolean end(long env, long[] answer);
}
