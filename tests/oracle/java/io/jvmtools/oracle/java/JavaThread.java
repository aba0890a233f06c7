package io.jvmtools.oracle.java;

import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.Observer;
import io.jvmtools.oracle.asked.ThreadFunctions;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.util.HashMap;
import java.util.Map;

/** What Java says itself of the stem {@code thread}. */
interface JavaThread extends ThreadFunctions {

  @Override
  default String getThreadState(Thread thread) {
    if (thread.getName().startsWith("ForkJoinPool")) {
      throw new Observer.NoAnswer(); // For a carrier Java tells what the virtual thread on it does.
    }
    return thread.getState().name();
  }

  @Override
  default String getThreadInfo(Thread thread) {
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
  default String getAllThreads() {
    return Names.ofAll(Thread.getAllStackTraces().keySet());
  }

  @Override
  default String getCurrentThread() {
    return Names.of(Thread.currentThread());
  }

  @Override
  default String interruptThread(Thread thread) {
    if (!thread.isAlive()) {
      throw new Observer.NoAnswer();
    }
    thread.interrupt();
    return "NONE";
  }

  @Override
  default String getOwnedMonitorInfo(Thread thread) {
    return Names.sorted(innermost(thread).keySet().stream(), ",");
  }

  @Override
  default String getOwnedMonitorStackDepthInfo(Thread thread) {
    if (thread == Thread.currentThread()) {
      throw new Observer.NoAnswer();
    }
    return Names.sorted(
        innermost(thread).entrySet().stream().map(own -> own.getKey() + "@" + own.getValue()), ",");
  }

  @Override
  default String getCurrentContendedMonitor(Thread thread) {
    ThreadInfo info = bean(thread);
    if (info.getThreadState() == Thread.State.WAITING) {
      throw new Observer.NoAnswer(); // Java tells what is waited for in any way.
    }
    return info.getThreadState() == Thread.State.BLOCKED
        ? Names.ofIdentity(info.getLockInfo().getIdentityHashCode())
        : "null";
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
    if (!thread.isAlive() || Virtual.is(thread)) {
      throw new Observer.NoAnswer();
    }
    long[] ids = {thread.getId()};
    return ManagementFactory.getThreadMXBean().getThreadInfo(ids, true, false)[0];
  }
}
