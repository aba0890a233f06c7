package io.jvmtools.oracle;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.VerboseFlag;
import io.jvmtools.object.MonitorUsage;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.stack.ThreadStack;
import io.jvmtools.system.TimerInfo;
import io.jvmtools.thread.OwnedMonitor;
import io.jvmtools.thread.ThreadGroupChildren;
import io.jvmtools.thread.ThreadGroupInfo;
import io.jvmtools.thread.ThreadInfo;
import io.jvmtools.thread.ThreadState;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The library, through its public API. */
final class Ours implements Observer {

  private static final String PREFIX = "JVMTI_ERROR_";

  private final Jvmti jvmti;

  Ours(String... capabilities) {
    jvmti = Jvmti.open(parse(capabilities));
  }

  /**
   * Checks of ours come before the call, so an exception of Java stands where the VM has a code.
   */
  @Override
  public String failure(RuntimeException failure) {
    if (failure instanceof JvmtiException refusal) {
      return withoutPrefix(refusal.error());
    }
    if (failure instanceof IllegalArgumentException) {
      return "ILLEGAL_ARGUMENT";
    }
    if (failure instanceof IllegalStateException
        && failure.getMessage().endsWith("this environment is closed")) {
      return "INVALID_ENVIRONMENT";
    }
    throw failure;
  }

  @Override
  public String getThreadState(Thread thread) {
    return hex(jvmti.threads().state(thread));
  }

  @Override
  public String getThreadInfo(Thread thread) {
    ThreadInfo info = jvmti.threads().info(thread);
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
  public String getAllThreads() {
    return names(jvmti.threads().all());
  }

  @Override
  public String interruptThread(Thread thread) {
    jvmti.threads().interrupt(thread);
    return "NONE";
  }

  @Override
  public String stopThread(Thread thread, Throwable exception) {
    jvmti.threads().stop(thread, exception);
    return "NONE";
  }

  @Override
  public String getOwnedMonitorInfo(Thread thread) {
    return names(jvmti.threads().ownedMonitorObjects(thread));
  }

  @Override
  public String getOwnedMonitorStackDepthInfo(Thread thread) {
    List<OwnedMonitor> owned = jvmti.threads().ownedMonitors(thread);
    return sorted(
        owned.stream().map(own -> Names.of(own.object()) + "@" + own.depth().orElse(-1)), ",");
  }

  @Override
  public String getCurrentContendedMonitor(Thread thread) {
    return Names.of(jvmti.threads().contendedMonitor(thread).orElse(null));
  }

  @Override
  public String getThreadLocalStorage(Thread thread) {
    return String.valueOf(jvmti.threads().localStorage(thread));
  }

  @Override
  public String setThreadLocalStorage(Thread thread, long value) {
    jvmti.threads().setLocalStorage(thread, value);
    return "NONE";
  }

  @Override
  public String getCurrentThread() {
    return Names.of(jvmti.threads().current());
  }

  @Override
  public String suspendThread(Thread thread) {
    jvmti.threads().suspend(thread);
    return "NONE";
  }

  @Override
  public String resumeThread(Thread thread) {
    jvmti.threads().resume(thread);
    return "NONE";
  }

  @Override
  public String suspendThreadList(Thread... threads) {
    return refused(jvmti.threads().suspend(List.of(threads)));
  }

  @Override
  public String resumeThreadList(Thread... threads) {
    return refused(jvmti.threads().resume(List.of(threads)));
  }

  @Override
  public String suspendAllVirtualThreads(Thread... except) {
    jvmti.threads().suspendAllVirtual(except);
    return "NONE";
  }

  @Override
  public String resumeAllVirtualThreads(Thread... except) {
    jvmti.threads().resumeAllVirtual(except);
    return "NONE";
  }

  @Override
  public String runAgentThread(Thread thread, Runnable body, int priority) {
    jvmti.threads().runAgentThread(thread, body, priority);
    return "NONE";
  }

  @Override
  public String getTopThreadGroups() {
    return names(jvmti.threadGroups().top());
  }

  @Override
  public String getThreadGroupInfo(ThreadGroup group) {
    ThreadGroupInfo info = jvmti.threadGroups().info(group);
    return info.name()
        + " max "
        + info.maxPriority()
        + " daemon "
        + info.isDaemon()
        + " parent "
        + Names.of(info.parent().orElse(null));
  }

  @Override
  public String getThreadGroupChildren(ThreadGroup group) {
    ThreadGroupChildren children = jvmti.threadGroups().children(group);
    return "threads [" + names(children.threads()) + "] groups [" + names(children.groups()) + "]";
  }

  @Override
  public String getStackTrace(Thread thread, int start, int max) {
    return text(jvmti.frames().stackTrace(thread, start, max));
  }

  @Override
  public String getAllStackTraces(int max) {
    return sorted(jvmti.frames().allStackTraces(max).stream().map(Ours::text), "; ");
  }

  @Override
  public String getThreadListStackTraces(Thread[] threads, int max) {
    List<ThreadStack> stacks = jvmti.frames().stackTraces(List.of(threads), max);
    return stacks.stream().map(Ours::text).collect(Collectors.joining("; "));
  }

  @Override
  public String getFrameCount(Thread thread) {
    return String.valueOf(jvmti.frames().count(thread));
  }

  @Override
  public String getFrameLocation(Thread thread, int depth) {
    return text(jvmti.frames().at(thread, depth));
  }

  @Override
  public String setTag(Object object, long tag) {
    if (tag == 0) {
      jvmti.objects().clearTag(object);
    } else {
      jvmti.objects().setTag(object, tag);
    }
    return "NONE";
  }

  @Override
  public String getTag(Object object) {
    return String.valueOf(jvmti.objects().tag(object).orElse(0));
  }

  @Override
  public String getObjectsWithTags(long... tags) {
    return sorted(
        jvmti.objects().withTags(tags).stream()
            .map(tagged -> Names.of(tagged.object()) + "=" + tagged.tag()),
        ",");
  }

  @Override
  public String getObjectSize(Object object) {
    return String.valueOf(jvmti.objects().size(object));
  }

  @Override
  public String getObjectHashCode(Object object) {
    return String.valueOf(jvmti.objects().identityHash(object));
  }

  @Override
  public String getObjectMonitorUsage(Object object) {
    MonitorUsage usage = jvmti.objects().monitorUsage(object);
    return "owner "
        + Names.of(usage.owner().orElse(null))
        + " entries "
        + usage.entryCount()
        + " waiters ["
        + names(usage.waiters())
        + "] notify ["
        + names(usage.notifyWaiters())
        + "]";
  }

  @Override
  public String getCurrentThreadCpuTimerInfo() {
    return text(jvmti.timers().currentThreadCpuTimerInfo());
  }

  @Override
  public String getThreadCpuTimerInfo() {
    return text(jvmti.timers().threadCpuTimerInfo());
  }

  @Override
  public String getTimerInfo() {
    return text(jvmti.timers().timerInfo());
  }

  @Override
  public String getCurrentThreadCpuTime() {
    return String.valueOf(jvmti.timers().currentThreadCpuTime().toNanos());
  }

  @Override
  public String getThreadCpuTime(Thread thread) {
    return String.valueOf(jvmti.timers().threadCpuTime(thread).toNanos());
  }

  @Override
  public String getTime() {
    return String.valueOf(jvmti.timers().time().toNanos());
  }

  @Override
  public String getAvailableProcessors() {
    return String.valueOf(jvmti.timers().availableProcessors());
  }

  @Override
  public String getPhase() {
    return jvmti.phase().name();
  }

  @Override
  public String getVersionNumber() {
    return jvmti.version().toString();
  }

  @Override
  public String getErrorName(int number) {
    return jvmti.errorName(number);
  }

  @Override
  public String getJLocationFormat() {
    return jvmti.locationFormat().name();
  }

  @Override
  public String setVerboseFlag(String flag, boolean on) {
    if (on) {
      jvmti.enableVerbose(VerboseFlag.valueOf(flag));
    } else {
      jvmti.disableVerbose(VerboseFlag.valueOf(flag));
    }
    return "NONE";
  }

  @Override
  public String getCapabilities() {
    return print(jvmti.capabilities().held());
  }

  @Override
  public String getPotentialCapabilities() {
    // The VM's answer has what the environment holds already, ours tells it apart.
    Set<Capability> potential = parse();
    potential.addAll(jvmti.capabilities().held());
    potential.addAll(jvmti.capabilities().obtainable());
    return print(potential);
  }

  @Override
  public String addCapabilities(String... capabilities) {
    jvmti.add(parse(capabilities).toArray(Capability[]::new));
    return "NONE";
  }

  @Override
  public String relinquishCapabilities(String... capabilities) {
    jvmti.relinquish(parse(capabilities).toArray(Capability[]::new));
    return "NONE";
  }

  @Override
  public String disposeEnvironment() {
    jvmti.close();
    return "NONE";
  }

  private static String refused(Map<Thread, JvmtiError> refused) {
    return refused.entrySet().stream()
        .map(entry -> Names.of(entry.getKey()) + "=" + withoutPrefix(entry.getValue()))
        .collect(Collectors.joining(",", "refused [", "]"));
  }

  private static String withoutPrefix(JvmtiError error) {
    return error.name().substring(PREFIX.length());
  }

  private static String hex(ThreadState state) {
    return "0x" + Integer.toHexString(state.bits());
  }

  /**
   * On the calling thread both observers stand on the stack: the native of the agent, and the
   * method here that is called like it. It gets that native's name and location.
   */
  private static String text(StackFrame frame) {
    return frame.className().equals(Ours.class.getName())
        ? Vm.class.getName() + "." + frame.methodName() + ":-1"
        : frame.className() + "." + frame.methodName() + ":" + frame.location();
  }

  private static String text(StackTrace trace) {
    return trace.stream().map(Ours::text).collect(Collectors.joining(" < "));
  }

  private static String text(ThreadStack stack) {
    return Names.of(stack.thread()) + " " + hex(stack.state()) + " " + text(stack.trace());
  }

  private static String text(TimerInfo info) {
    return info.kind()
        + " max "
        + info.maxNanos()
        + " forward "
        + info.maySkipForward()
        + " backward "
        + info.maySkipBackward();
  }

  private static Set<Capability> parse(String... capabilities) {
    return Arrays.stream(capabilities)
        .map(name -> Capability.valueOf(name.toUpperCase(Locale.ROOT)))
        .collect(Collectors.toSet());
  }

  private static String print(Set<Capability> capabilities) {
    return sorted(capabilities.stream().map(each -> each.name().toLowerCase(Locale.ROOT)), ",");
  }

  private static String names(Collection<?> objects) {
    return sorted(objects.stream().map(Names::of), ",");
  }

  private static String sorted(Stream<String> parts, String separator) {
    return parts.sorted().collect(Collectors.joining(separator));
  }
}
