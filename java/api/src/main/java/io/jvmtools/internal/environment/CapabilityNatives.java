package io.jvmtools.internal.environment;

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
   * AddCapabilities, and when the action has ended RelinquishCapabilities, whatever was thrown
   * meanwhile. Borrowing is counted: the last one relinquishes.
   *
   * @param env the environment
   * @param mask what to borrow
   * @param action what to do meanwhile
   */
  public static native void whileBorrowed(long env, long mask, Runnable action);

  /** What could be had when the JVM started; 0 if the agent was not there. */
  public static native long potentialAtStart();
}
