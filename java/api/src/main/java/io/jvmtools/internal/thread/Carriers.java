package io.jvmtools.internal.thread;

/** The platform threads on which the JDK's scheduler runs virtual ones. */
public final class Carriers {

  private static final String TYPE = "jdk.internal.misc.CarrierThread";

  private Carriers() {}

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
