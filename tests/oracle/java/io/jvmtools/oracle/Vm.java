package io.jvmtools.oracle;

/** The C++ agent: each native is one call of a function of {@code jvmti.h}. */
final class Vm implements Observer {

  /** The environment; the natives read it. */
  @SuppressWarnings("unused")
  private final long env;

  Vm(String... capabilities) {
    env = open();
    if (capabilities.length > 0) {
      Notes.require("NONE", addCapabilities(capabilities));
    }
  }

  private static native long open();

  @Override
  public native String getThreadState(Thread thread);

  @Override
  public native String getThreadInfo(Thread thread);

  @Override
  public native String getAllThreads();

  @Override
  public native String getCurrentThread();

  @Override
  public native String interruptThread(Thread thread);

  @Override
  public native String stopThread(Thread thread, Throwable exception);

  @Override
  public native String getOwnedMonitorInfo(Thread thread);

  @Override
  public native String getOwnedMonitorStackDepthInfo(Thread thread);

  @Override
  public native String getCurrentContendedMonitor(Thread thread);

  @Override
  public native String getThreadLocalStorage(Thread thread);

  @Override
  public native String setThreadLocalStorage(Thread thread, long value);

  @Override
  public native String suspendThread(Thread thread);

  @Override
  public native String resumeThread(Thread thread);

  @Override
  public native String suspendThreadList(Thread... threads);

  @Override
  public native String resumeThreadList(Thread... threads);

  @Override
  public native String suspendAllVirtualThreads(Thread... except);

  @Override
  public native String resumeAllVirtualThreads(Thread... except);

  @Override
  public native String runAgentThread(Thread thread, Runnable body, int priority);

  @Override
  public native String getTopThreadGroups();

  @Override
  public native String getThreadGroupInfo(ThreadGroup group);

  @Override
  public native String getThreadGroupChildren(ThreadGroup group);

  @Override
  public native String getStackTrace(Thread thread, int start, int max);

  @Override
  public native String getAllStackTraces(int max);

  @Override
  public native String getThreadListStackTraces(Thread[] threads, int max);

  @Override
  public native String getFrameCount(Thread thread);

  @Override
  public native String getFrameLocation(Thread thread, int depth);

  @Override
  public native String setTag(Object object, long tag);

  @Override
  public native String getTag(Object object);

  @Override
  public native String getObjectsWithTags(long... tags);

  @Override
  public native String getObjectSize(Object object);

  @Override
  public native String getObjectHashCode(Object object);

  @Override
  public native String getObjectMonitorUsage(Object object);

  @Override
  public native String getCurrentThreadCpuTimerInfo();

  @Override
  public native String getThreadCpuTimerInfo();

  @Override
  public native String getTimerInfo();

  @Override
  public native String getCurrentThreadCpuTime();

  @Override
  public native String getThreadCpuTime(Thread thread);

  @Override
  public native String getTime();

  @Override
  public native String getAvailableProcessors();

  @Override
  public native String getPhase();

  @Override
  public native String getVersionNumber();

  @Override
  public native String getErrorName(int number);

  @Override
  public native String getJLocationFormat();

  @Override
  public native String setVerboseFlag(String flag, boolean on);

  @Override
  public native String getCapabilities();

  @Override
  public native String getPotentialCapabilities();

  @Override
  public native String addCapabilities(String... capabilities);

  @Override
  public native String relinquishCapabilities(String... capabilities);

  @Override
  public native String disposeEnvironment();
}
