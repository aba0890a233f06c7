package io.jvmtools.internal.environment;

import org.jspecify.annotations.Nullable;

/** General functions, and the life of environments. */
public final class GeneralNatives {

  private GeneralNatives() {}

  /**
   * Opens an environment. The owner is held weakly; when it is collected, so is the environment.
   */
  public static native long open(Object owner);

  /**
   * Closes an environment, however often. False: a thread is still inside and will dispose of it.
   */
  public static native boolean close(long env);

  /** Whether the handle names an open environment. */
  public static native boolean isOpen(long env);

  /** The private environment that reads classes and methods for this class loader's values. */
  public static native long metadata();

  /** The file of the running image; null if that is part of the executable. */
  public static native @Nullable String libraryPath();

  /** How the image was loaded: 0 System.load, 1 agent at start, 2 attached agent. */
  public static native int origin();

  /** GetVersionNumber. */
  public static native int getVersionNumber(long env);

  /** GetPhase. */
  public static native int getPhase(long env);

  /** GetErrorName. */
  public static native String getErrorName(long env, int code);

  /** GetJLocationFormat. */
  public static native int getJLocationFormat(long env);

  /** SetVerboseFlag. */
  public static native void setVerboseFlag(long env, int flag, boolean value);
}
