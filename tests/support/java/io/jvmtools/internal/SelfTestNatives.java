package io.jvmtools.internal;

/**
 * What only a test asks of the released library. The class is not in the jar; where it is on the
 * class path, binding registers these natives too.
 */
public final class SelfTestNatives {

  private SelfTestNatives() {}

  /** Panics with a message. */
  public static native void panic(String message);

  /** Enables ThreadStart for an environment, counted by {@link #threadStarts}. */
  public static native void armThreadStart(long env);

  /** How many threads have started while any environment was armed. */
  public static native long threadStarts();

  /** Enters the environment and stays there until {@link #release}. */
  public static native void block(long env);

  /** Lets every thread out of {@link #block}. */
  public static native void release();

  /** How many threads are inside {@link #block}. */
  public static native int blocked();

  /** Enters the environment and leaves it. */
  public static native void empty(long env);
}
