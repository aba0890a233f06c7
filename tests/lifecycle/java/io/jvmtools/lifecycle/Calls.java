package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.ThreadSuspendedException;
import io.jvmtools.internal.SelfTestNatives;
import io.jvmtools.internal.code.MethodNatives;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.object.HeapNatives;
import io.jvmtools.internal.object.ObjectNatives;
import io.jvmtools.internal.stack.FrameNatives;
import io.jvmtools.internal.system.TimerNatives;
import io.jvmtools.internal.thread.SuspensionNatives;
import io.jvmtools.internal.thread.ThreadNatives;
import java.util.List;

/**
 * A call of every native that takes an environment, on a bare handle: what Java classes check
 * before, they check for comfort; the natives must be safe by themselves.
 */
final class Calls {

  /** What the calls need. */
  static final long CAPABILITIES =
      bit(Capability.CAN_TAG_OBJECTS)
          | bit(Capability.CAN_SUSPEND)
          | bit(Capability.CAN_GET_THREAD_CPU_TIME)
          | bit(Capability.CAN_GET_CURRENT_THREAD_CPU_TIME)
          | bit(Capability.CAN_GET_LINE_NUMBERS)
          | bit(Capability.CAN_GET_SOURCE_FILE_NAME);

  private static final long FREE = bit(Capability.CAN_GET_BYTECODES);

  private Calls() {}

  /** One call. */
  interface Call {
    void on(long env);
  }

  /** A call and its name. */
  record Named(String name, Call call) {

    @Override
    public String toString() {
      return name;
    }
  }

  /** All calls; those about a thread ask for {@code thread}. */
  static List<Named> all(Thread thread) {
    Object object = new Object();
    Thread[] threads = {thread, Thread.currentThread()};
    Thread[] one = {thread};
    return List.of(
        new Named("getVersionNumber", GeneralNatives::getVersionNumber),
        new Named("getPhase", GeneralNatives::getPhase),
        new Named("getErrorName", env -> GeneralNatives.getErrorName(env, 15)),
        new Named("getJLocationFormat", GeneralNatives::getJLocationFormat),
        new Named("setVerboseFlag", env -> GeneralNatives.setVerboseFlag(env, 0, false)),
        new Named("getPotentialCapabilities", CapabilitiesNatives::getPotentialCapabilities),
        new Named("getCapabilities", CapabilitiesNatives::getCapabilities),
        new Named("addCapabilities", env -> CapabilitiesNatives.addCapabilities(env, FREE)),
        new Named(
            "relinquishCapabilities", env -> CapabilitiesNatives.relinquishCapabilities(env, FREE)),
        new Named("getCurrentThreadCpuTimerInfo", TimerNatives::getCurrentThreadCpuTimerInfo),
        new Named("getCurrentThreadCpuTime", TimerNatives::getCurrentThreadCpuTime),
        new Named("getThreadCpuTimerInfo", TimerNatives::getThreadCpuTimerInfo),
        new Named("getThreadCpuTime", env -> TimerNatives.getThreadCpuTime(env, thread)),
        new Named("getTimerInfo", TimerNatives::getTimerInfo),
        new Named("getTime", TimerNatives::getTime),
        new Named("getAvailableProcessors", TimerNatives::getAvailableProcessors),
        new Named("getAllThreads", ThreadNatives::getAllThreads),
        new Named("getThreadState", env -> ThreadNatives.getThreadState(env, thread)),
        new Named("getThreadInfo", env -> ThreadNatives.getThreadInfo(env, thread)),
        new Named("getCurrentThread", ThreadNatives::getCurrentThread),
        new Named("ownThreads", SuspensionNatives::ownThreads),
        new Named("whileSuspended", env -> suspendForATime(env, one)),
        new Named("suspendThread", env -> racing(() -> ThreadNatives.suspendThread(env, thread))),
        new Named("resumeThread", env -> racing(() -> ThreadNatives.resumeThread(env, thread))),
        new Named("suspendThreadList", env -> ThreadNatives.suspendThreadList(env, one)),
        new Named("resumeThreadList", env -> ThreadNatives.resumeThreadList(env, one)),
        new Named("whileBorrowed", env -> CapabilitiesNatives.whileBorrowed(env, FREE, () -> {})),
        new Named("runAgentThread", Calls::runAgentThread),
        new Named("getStackTrace", env -> FrameNatives.getStackTrace(env, thread, 0, 64)),
        new Named("getAllStackTraces", env -> FrameNatives.getAllStackTraces(env, 64)),
        new Named(
            "getThreadListStackTraces",
            env -> FrameNatives.getThreadListStackTraces(env, threads, 64)),
        new Named("getFrameCount", env -> FrameNatives.getFrameCount(env, thread)),
        new Named("getFrameLocation", env -> FrameNatives.getFrameLocation(env, thread, 0)),
        new Named("resolve", env -> MethodNatives.resolve(env, methodId())),
        new Named("setTag", env -> HeapNatives.setTag(env, object, 42)),
        new Named("getTag", env -> HeapNatives.getTag(env, object)),
        new Named(
            "getObjectsWithTags", env -> HeapNatives.getObjectsWithTags(env, new long[] {42})),
        new Named("getObjectSize", env -> ObjectNatives.getObjectSize(env, object)),
        new Named("getObjectHashCode", env -> ObjectNatives.getObjectHashCode(env, object)),
        new Named("empty", SelfTestNatives::empty));
  }

  private static long bit(Capability capability) {
    return 1L << capability.ordinal();
  }

  private static void suspendForATime(long env, Thread[] threads) {
    int[] codes = new int[threads.length];
    SuspensionNatives.whileSuspended(env, threads, Long.MAX_VALUE, false, codes, () -> {});
  }

  /** Another thread may do the same with the same thread. */
  private static void racing(Runnable call) {
    try {
      call.run();
    } catch (ThreadSuspendedException | ThreadNotSuspendedException other) {
      assertThat(other).hasMessageMatching("(Suspend|Resume)Thread: .*");
    }
  }

  private static void runAgentThread(long env) {
    Thread fresh = new Thread();
    ThreadNatives.runAgentThread(env, fresh, () -> {}, Thread.NORM_PRIORITY);
  }

  private static long methodId() {
    return FrameNatives.getFrameLocation(GeneralNatives.metadata(), null, 0)[0];
  }
}
