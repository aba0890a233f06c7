package io.jvmtools.internal;

/** Capabilities as bit masks: bit n is the capability with bit n. */
public final class CapabilityNatives {

  private CapabilityNatives() {}

  /** GetPotentialCapabilities: what the environment holds or could hold now. */
  public static native long getPotentialCapabilities(long env);

  /** GetCapabilities: what the environment holds. */
  public static native long getCapabilities(long env);

  /** AddCapabilities: all of the mask, or none. */
  public static native void addCapabilities(long env, long mask);

  /** RelinquishCapabilities. */
  public static native void relinquishCapabilities(long env, long mask);

  /**
   * AddCapabilities for the time until {@link #returnCapabilities}. Borrowing is counted: the last
   * one who returns a capability relinquishes it.
   *
   * @param env the environment
   * @param mask what to borrow
   * @param has set to true as soon as it is borrowed
   */
  public static native void borrowCapabilities(long env, long mask, boolean[] has);

  /**
   * Returns what has been borrowed.
   *
   * @param env the environment
   * @param mask what to return
   * @param has whether it is borrowed; false afterwards
   */
  public static native void returnCapabilities(long env, long mask, boolean[] has);

  /** What could be had when the JVM started; 0 if the agent was not there. */
  public static native long potentialAtStart();
}
