package io.jvmtools.internal.thread;

/**
 * Suspensions that end by themselves: one native thread, the steward, suspends for all others, and
 * another one, the watchdog, resumes, at the latest when time is up.
 */
public final class SuspensionNatives {

  private SuspensionNatives() {}

  /** The watchdog and the steward, started and attached if they are not there yet. */
  public static native Thread[] ownThreads(long env);

  /**
   * SuspendThreadList by the steward, and when the action has ended, or after {@code nanos},
   * ResumeThreadList by the watchdog. Returns when that is done, whatever was thrown meanwhile.
   *
   * @param env the environment
   * @param threads the threads
   * @param nanos for how long
   * @param allOthers whether these are all threads but the calling one: then it waits until nobody
   *     else has that
   * @param codes filled with a {@code jvmtiError} for each thread before the action runs
   * @param action what to do meanwhile
   * @return whether the action had ended in time
   */
  public static native boolean whileSuspended(
      long env, Thread[] threads, long nanos, boolean allOthers, int[] codes, Runnable action);
}
