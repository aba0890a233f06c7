package io.jvmtools.internal.thread;

import io.jvmtools.internal.environment.GeneralNatives;

/** The platform threads on which the JDK's scheduler runs virtual ones. */
public final class Carriers {

  private static final String TYPE = "jdk.internal.misc.CarrierThread";

  private static final boolean THERE_ARE_SOME = Runtime.version().feature() >= 21;

  private Carriers() {}

  /**
   * Whether a thread with this number is one, wherever it is.
   *
   * @param number what the thread's {@code getId()} answers
   * @return whether it is
   */
  public static boolean isOne(long number) {
    if (!THERE_ARE_SOME) {
      return false;
    }
    for (Thread thread : ThreadNatives.getAllThreads(GeneralNatives.metadata())) {
      if (is(thread) && thread.getId() == number) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a thread is one. What it carries may have been meant where it is named.
   *
   * @param thread the thread
   * @return whether it is
   */
  public static boolean is(Thread thread) {
    return thread.getClass().getName().equals(TYPE);
  }
}
