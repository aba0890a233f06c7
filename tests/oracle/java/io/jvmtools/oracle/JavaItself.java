package io.jvmtools.oracle;

import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What Java says itself, for the functions to which it has a counterpart.
 *
 * <p>It knows less: a state without bits, frames without locations, no frames of the library's kind
 * of virtual thread. {@link OracleTest} brings the VM's answers down to that before it compares.
 */
final class JavaItself implements Observer {

  /** Java cuts its traces off there, and shows no more threads of a group here. */
  private static final int MOST = 1024;

  @Override
  public String getThreadState(Thread thread) {
    if (thread.getName().startsWith("ForkJoinPool")) {
      throw new NoAnswer(); // For a carrier Java tells what the virtual thread on it does.
    }
    return thread.getState().name();
  }

  @Override
  public String getThreadInfo(Thread thread) {
    return thread.getName()
        + " priority "
        + thread.getPriority()
        + " daemon "
        + thread.isDaemon()
        + " group "
        + Names.of(thread.getThreadGroup())
        + " loader "
        + Names.of(thread.getContextClassLoader());
  }

  @Override
  public String getAllThreads() {
    return names(Thread.getAllStackTraces().keySet());
  }

  @Override
  public String getCurrentThread() {
    return Names.of(Thread.currentThread());
  }

  @Override
  public String interruptThread(Thread thread) {
    if (!thread.isAlive()) {
      throw new NoAnswer();
    }
    thread.interrupt();
    return "NONE";
  }

  @Override
  public String getOwnedMonitorInfo(Thread thread) {
    return sorted(innermost(thread).keySet().stream(), ",");
  }

  @Override
  public String getOwnedMonitorStackDepthInfo(Thread thread) {
    if (thread == Thread.currentThread()) {
      throw new NoAnswer();
    }
    return sorted(
        innermost(thread).entrySet().stream().map(own -> own.getKey() + "@" + own.getValue()), ",");
  }

  @Override
  public String getCurrentContendedMonitor(Thread thread) {
    ThreadInfo info = bean(thread);
    if (info.getThreadState() == Thread.State.WAITING) {
      throw new NoAnswer(); // Java tells what is waited for in any way.
    }
    return info.getThreadState() == Thread.State.BLOCKED
        ? Names.ofIdentity(info.getLockInfo().getIdentityHashCode())
        : "null";
  }

  @Override
  public String getTopThreadGroups() {
    ThreadGroup top = Thread.currentThread().getThreadGroup();
    while (top.getParent() != null) {
      top = top.getParent();
    }
    return Names.of(top);
  }

  @Override
  public String getThreadGroupInfo(ThreadGroup group) {
    @SuppressWarnings("removal")
    boolean daemon = group.isDaemon();
    return group.getName()
        + " max "
        + group.getMaxPriority()
        + " daemon "
        + daemon
        + " parent "
        + Names.of(group.getParent());
  }

  @Override
  public String getThreadGroupChildren(ThreadGroup group) {
    Thread[] threads = new Thread[MOST];
    ThreadGroup[] groups = new ThreadGroup[MOST];
    int threadCount = group.enumerate(threads, false);
    int groupCount = group.enumerate(groups, false);
    return "threads ["
        + names(Arrays.asList(threads).subList(0, threadCount))
        + "] groups ["
        + names(Arrays.asList(groups).subList(0, groupCount))
        + "]";
  }

  @Override
  public String getStackTrace(Thread thread, int start, int max) {
    StackTraceElement[] trace = trace(thread);
    if (start < 0 || start >= trace.length || max < 0) {
      throw new NoAnswer();
    }
    return text(Arrays.stream(trace).skip(start).limit(max));
  }

  @Override
  public String getFrameCount(Thread thread) {
    return String.valueOf(trace(thread).length);
  }

  @Override
  public String getFrameLocation(Thread thread, int depth) {
    StackTraceElement[] trace = trace(thread);
    if (depth < 0 || depth >= trace.length) {
      throw new NoAnswer();
    }
    return text(Stream.of(trace[depth]));
  }

  @Override
  public String getObjectHashCode(Object object) {
    return String.valueOf(System.identityHashCode(object));
  }

  @Override
  public String getThreadCpuTime(Thread thread) {
    if (!thread.isAlive() || isVirtual(thread)) {
      throw new NoAnswer();
    }
    return String.valueOf(ManagementFactory.getThreadMXBean().getThreadCpuTime(thread.getId()));
  }

  @Override
  public String getCurrentThreadCpuTime() {
    if (isVirtual(Thread.currentThread())) {
      throw new NoAnswer();
    }
    return String.valueOf(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime());
  }

  @Override
  public String getTime() {
    return String.valueOf(System.nanoTime());
  }

  @Override
  public String getAvailableProcessors() {
    return String.valueOf(Runtime.getRuntime().availableProcessors());
  }

  @Override
  public String getVersionNumber() {
    return Runtime.version().feature() + ".0.0";
  }

  @Override
  public String setVerboseFlag(String flag, boolean on) {
    switch (flag) {
      case "GC" -> ManagementFactory.getMemoryMXBean().setVerbose(on);
      case "CLASS" -> ManagementFactory.getClassLoadingMXBean().setVerbose(on);
      default -> throw new NoAnswer();
    }
    return "NONE";
  }

  /** The monitors that a thread has entered, with the innermost of the frames that did. */
  private static Map<String, Integer> innermost(Thread thread) {
    Map<String, Integer> depths = new HashMap<>();
    for (MonitorInfo monitor : bean(thread).getLockedMonitors()) {
      String name = Names.ofIdentity(monitor.getIdentityHashCode());
      depths.merge(name, monitor.getLockedStackDepth(), Math::min);
    }
    return depths;
  }

  /** Java's bean knows live platform threads. */
  private static ThreadInfo bean(Thread thread) {
    if (!thread.isAlive() || isVirtual(thread)) {
      throw new NoAnswer();
    }
    long[] ids = {thread.getId()};
    return ManagementFactory.getThreadMXBean().getThreadInfo(ids, true, false)[0];
  }

  /** Java leaves its own machinery out of the stacks of virtual threads. */
  private static StackTraceElement[] trace(Thread thread) {
    if (!thread.isAlive() || isVirtual(thread) || thread == Thread.currentThread()) {
      throw new NoAnswer();
    }
    StackTraceElement[] trace = thread.getStackTrace();
    if (trace.length >= MOST) {
      throw new NoAnswer();
    }
    return trace;
  }

  private static boolean isVirtual(Thread thread) {
    return thread.getClass().getSimpleName().toLowerCase(Locale.ROOT).contains("virtual");
  }

  private static String text(Stream<StackTraceElement> frames) {
    return frames
        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
        .collect(Collectors.joining(" < "));
  }

  private static String names(Collection<?> objects) {
    return sorted(objects.stream().map(Names::of), ",");
  }

  private static String sorted(Stream<String> parts, String separator) {
    return parts.sorted().collect(Collectors.joining(separator));
  }
}
