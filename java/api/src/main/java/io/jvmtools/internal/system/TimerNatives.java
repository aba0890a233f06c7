package io.jvmtools.internal.system;

import org.jspecify.annotations.Nullable;

/** Timer facts are {maxValue, maySkipForward, maySkipBackward, kind}. */
public final class TimerNatives {

  private TimerNatives() {}

  /** GetCurrentThreadCpuTimerInfo. */
  public static native long[] getCurrentThreadCpuTimerInfo(long env);

  /** GetCurrentThreadCpuTime. */
  public static native long getCurrentThreadCpuTime(long env);

  /** GetThreadCpuTimerInfo. */
  public static native long[] getThreadCpuTimerInfo(long env);

  /** GetThreadCpuTime. */
  public static native long getThreadCpuTime(long env, @Nullable Thread thread);

  /** GetTimerInfo. */
  public static native long[] getTimerInfo(long env);

  /** GetTime. */
  public static native long getTime(long env);

  /** GetAvailableProcessors. */
  public static native int getAvailableProcessors(long env);
}
