package io.jvmtools.oracle;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A function with arguments, to be played in every environment and on every kind of thread.
 *
 * @param function its name
 * @param play the call
 */
record Call(String function, Function<Observer, String> play) {

  /** Functions that only look at a thread, or leave a number at it. */
  static List<Call> onThread(Thread thread) {
    return List.of(
        new Call("GetThreadState", o -> o.getThreadState(thread)),
        new Call("GetThreadInfo", o -> o.getThreadInfo(thread)),
        new Call("GetOwnedMonitorInfo", o -> o.getOwnedMonitorInfo(thread)),
        new Call("GetOwnedMonitorStackDepthInfo", o -> o.getOwnedMonitorStackDepthInfo(thread)),
        new Call("GetCurrentContendedMonitor", o -> o.getCurrentContendedMonitor(thread)),
        new Call("SetThreadLocalStorage", o -> o.setThreadLocalStorage(thread, 5)),
        new Call("GetThreadLocalStorage", o -> o.getThreadLocalStorage(thread)),
        new Call("GetStackTrace", o -> o.getStackTrace(thread, 0, 100)),
        new Call(
            "GetThreadListStackTraces",
            o -> o.getThreadListStackTraces(new Thread[] {thread, thread}, 100)),
        new Call("GetFrameCount", o -> o.getFrameCount(thread)),
        new Call("GetFrameLocation", o -> o.getFrameLocation(thread, 0)),
        new Call("GetThreadCpuTime", o -> anyNumber(o.getThreadCpuTime(thread))));
  }

  /** Functions that a live thread would feel. */
  static List<Call> againstThread(Thread thread) {
    return List.of(
        new Call("InterruptThread", o -> o.interruptThread(thread)),
        new Call("StopThread", o -> o.stopThread(thread, new IOException())),
        new Call("SuspendThread", o -> o.suspendThread(thread)),
        new Call("SuspendThreadList", o -> o.suspendThreadList(thread)),
        new Call("ResumeThread", o -> o.resumeThread(thread)),
        new Call("ResumeThreadList", o -> o.resumeThreadList(thread)));
  }

  /** Every function but {@code DisposeEnvironment}, with arguments that leave no trace. */
  static List<Call> all(Thread thread) {
    Object object = Names.object("any object");
    ThreadGroup group = new ThreadGroup("any group");
    List<Call> calls = new ArrayList<>(onThread(thread));
    calls.addAll(againstThread(thread));
    calls.addAll(
        List.of(
            new Call("GetAllThreads", o -> actors(o.getAllThreads())),
            new Call("GetCurrentThread", Observer::getCurrentThread),
            new Call("GetTopThreadGroups", Observer::getTopThreadGroups),
            new Call("GetThreadGroupInfo", o -> o.getThreadGroupInfo(group)),
            new Call("GetThreadGroupChildren", o -> o.getThreadGroupChildren(group)),
            new Call("GetAllStackTraces", o -> actorStacks(o.getAllStackTraces(100))),
            new Call("RunAgentThread", o -> o.runAgentThread(thread, () -> {}, 5)),
            new Call("SetTag", o -> o.setTag(object, 6)),
            new Call("GetTag", o -> o.getTag(object)),
            new Call("GetObjectsWithTags", o -> o.getObjectsWithTags(6)),
            new Call("GetObjectSize", o -> o.getObjectSize(object)),
            new Call("GetObjectHashCode", o -> anyNumber(o.getObjectHashCode(object))),
            new Call("GetObjectMonitorUsage", o -> o.getObjectMonitorUsage(object)),
            new Call("GetCurrentThreadCpuTimerInfo", Observer::getCurrentThreadCpuTimerInfo),
            new Call("GetThreadCpuTimerInfo", Observer::getThreadCpuTimerInfo),
            new Call("GetTimerInfo", Observer::getTimerInfo),
            new Call("GetCurrentThreadCpuTime", o -> anyNumber(o.getCurrentThreadCpuTime())),
            new Call("GetTime", o -> anyNumber(o.getTime())),
            new Call("GetAvailableProcessors", Observer::getAvailableProcessors),
            new Call("GetPhase", Observer::getPhase),
            new Call("GetVersionNumber", Observer::getVersionNumber),
            new Call("GetErrorName", o -> o.getErrorName(15)),
            new Call("GetJLocationFormat", Observer::getJLocationFormat),
            new Call("SetVerboseFlag", o -> o.setVerboseFlag("JNI", false)),
            new Call("GetCapabilities", Observer::getCapabilities),
            new Call("GetPotentialCapabilities", Observer::getPotentialCapabilities),
            new Call("AddCapabilities", o -> o.addCapabilities()),
            new Call("RelinquishCapabilities", o -> o.relinquishCapabilities())));
    if (Virtual.isHere()) {
      calls.add(new Call("SuspendAllVirtualThreads", o -> o.suspendAllVirtualThreads()));
      calls.add(new Call("ResumeAllVirtualThreads", o -> o.resumeAllVirtualThreads()));
    }
    return calls;
  }

  /** The answer without its number, which differs from run to run. */
  static String anyNumber(String answer) {
    return answer.matches("-?\\d+") ? "a number" : answer;
  }

  /** A list of threads without those of the JVM. */
  static String actors(String answer) {
    return Notes.only(answer, ",", Actor::isNamed);
  }

  /** A list of stacks without those of the JVM's threads, and the one that observes. */
  static String actorStacks(String answer) {
    return Notes.only(answer, "; ", stack -> stack.startsWith("actor "));
  }

  /** Writes down what each of some calls answers. */
  static void note(Notes notes, String scenario, List<Call> calls, Observer observer) {
    for (Call call : calls) {
      notes.note(call.function + "." + scenario, () -> call.play.apply(observer));
    }
  }
}
