package io.jvmtools.internal;

import org.jspecify.annotations.Nullable;

/** Threads. A null thread is the current one. */
public final class ThreadNatives {

  private ThreadNatives() {}

  /** GetAllThreads. */
  public static native Thread[] getAllThreads(long env);

  /** GetThreadState. */
  public static native int getThreadState(long env, @Nullable Thread thread);

  /** GetThreadInfo, a {@link ThreadFacts}. */
  public static native Object getThreadInfo(long env, @Nullable Thread thread);
}
