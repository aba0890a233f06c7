package io.jvmtools.oracle.ours;

import io.jvmtools.JvmtiError;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.asked.ThreadFunctions;
import io.jvmtools.thread.OwnedMonitor;
import io.jvmtools.thread.ThreadInfo;
import io.jvmtools.thread.ThreadState;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The stem {@code thread} through the public API. */
interface OursThread extends ThreadFunctions, OurEnvironment {

  @Override
  default String getThreadState(Thread thread) {
    return hex(jvmti().threads().state(thread));
  }

  @Override
  default String getThreadInfo(Thread thread) {
    ThreadInfo info = jvmti().threads().info(thread);
    return info.name()
        + " priority "
        + info.priority()
        + " daemon "
        + info.isDaemon()
        + " group "
        + Names.of(info.group().orElse(null))
        + " loader "
        + Names.of(info.contextClassLoader().orElse(null));
  }

  @Override
  default String getAllThreads() {
    return Names.ofAll(jvmti().threads().all());
  }

  @Override
  default String interruptThread(Thread thread) {
    jvmti().threads().interrupt(thread);
    return "NONE";
  }

  @Override
  default String stopThread(Thread thread, Throwable exception) {
    jvmti().threads().stop(thread, exception);
    return "NONE";
  }

  @Override
  default String getOwnedMonitorInfo(Thread thread) {
    return Names.ofAll(jvmti().threads().ownedMonitorObjects(thread));
  }

  @Override
  default String getOwnedMonitorStackDepthInfo(Thread thread) {
    List<OwnedMonitor> owned = jvmti().threads().ownedMonitors(thread);
    return Names.sorted(
        owned.stream().map(own -> Names.of(own.object()) + "@" + own.depth().orElse(-1)), ",");
  }

  @Override
  default String getCurrentContendedMonitor(Thread thread) {
    return Names.of(jvmti().threads().contendedMonitor(thread).orElse(null));
  }

  @Override
  default String getThreadLocalStorage(Thread thread) {
    return String.valueOf(jvmti().threads().localStorage(thread));
  }

  @Override
  default String setThreadLocalStorage(Thread thread, long value) {
    jvmti().threads().setLocalStorage(thread, value);
    return "NONE";
  }

  @Override
  default String getCurrentThread() {
    return Names.of(jvmti().threads().current());
  }

  @Override
  default String suspendThread(Thread thread) {
    jvmti().threads().suspend(thread);
    return "NONE";
  }

  @Override
  default String resumeThread(Thread thread) {
    jvmti().threads().resume(thread);
    return "NONE";
  }

  @Override
  default String suspendThreadList(Thread... threads) {
    return refused(jvmti().threads().suspend(List.of(threads)));
  }

  @Override
  default String resumeThreadList(Thread... threads) {
    return refused(jvmti().threads().resume(List.of(threads)));
  }

  @Override
  default String suspendAllVirtualThreads(Thread... except) {
    jvmti().threads().suspendAllVirtual(except);
    return "NONE";
  }

  @Override
  default String resumeAllVirtualThreads(Thread... except) {
    jvmti().threads().resumeAllVirtual(except);
    return "NONE";
  }

  @Override
  default String runAgentThread(Thread thread, Runnable body, int priority) {
    jvmti().threads().runAgentThread(thread, body, priority);
    return "NONE";
  }

  private static String refused(Map<Thread, JvmtiError> refused) {
    return refused.entrySet().stream()
        .map(entry -> Names.of(entry.getKey()) + "=" + Ours.withoutPrefix(entry.getValue()))
        .collect(Collectors.joining(",", "refused [", "]"));
  }

  static String hex(ThreadState state) {
    return "0x" + Integer.toHexString(state.bits());
  }
}
