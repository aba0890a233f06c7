package io.jvmtools.internal.thread;

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

  /** InterruptThread. */
  public static native void interruptThread(long env, Thread thread);

  /** StopThread. */
  public static native void stopThread(long env, Thread thread, Throwable exception);

  /** GetOwnedMonitorInfo. */
  public static native Object[] getOwnedMonitorInfo(long env, @Nullable Thread thread);

  /** GetOwnedMonitorStackDepthInfo, an {@link OwnedMonitorFacts}. */
  public static native Object getOwnedMonitorStackDepthInfo(long env, @Nullable Thread thread);

  /** GetCurrentContendedMonitor, null if there is none. */
  public static native @Nullable Object getCurrentContendedMonitor(
      long env, @Nullable Thread thread);

  /** GetThreadLocalStorage. */
  public static native long getThreadLocalStorage(long env, @Nullable Thread thread);

  /** SetThreadLocalStorage. */
  public static native void setThreadLocalStorage(long env, @Nullable Thread thread, long value);

  /** GetCurrentThread. */
  public static native Thread getCurrentThread(long env);

  /** SuspendThread. */
  public static native void suspendThread(long env, @Nullable Thread thread);

  /** ResumeThread. */
  public static native void resumeThread(long env, Thread thread);

  /** SuspendThreadList, a {@code jvmtiError} for each thread. */
  public static native int[] suspendThreadList(long env, Thread[] threads);

  /** ResumeThreadList, a {@code jvmtiError} for each thread. */
  public static native int[] resumeThreadList(long env, Thread[] threads);

  /** SuspendAllVirtualThreads. */
  public static native void suspendAllVirtualThreads(long env, Thread[] except);

  /** ResumeAllVirtualThreads. */
  public static native void resumeAllVirtualThreads(long env, Thread[] except);

  /** RunAgentThread: the body is called on the thread, which has no other frame. */
  public static native void runAgentThread(long env, Thread thread, Runnable body, int priority);
}
