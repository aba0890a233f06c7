package io.jvmtools.oracle.ours;

import io.jvmtools.oracle.asked.FrameFunctions;
import io.jvmtools.oracle.asked.Names;
import io.jvmtools.oracle.vm.VmNatives;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.stack.ThreadStack;
import java.util.List;
import java.util.stream.Collectors;

/** The stem {@code frame} through the public API. */
interface OursFrame extends FrameFunctions, OurEnvironment {

  @Override
  default String getStackTrace(Thread thread, int startDepth, int maxFrames) {
    return text(jvmti().frames().stackTrace(thread, startDepth, maxFrames));
  }

  @Override
  default String getAllStackTraces(int maxFrames) {
    return Names.sorted(
        jvmti().frames().allStackTraces(maxFrames).stream().map(OursFrame::text), "; ");
  }

  @Override
  default String getThreadListStackTraces(Thread[] threads, int maxFrames) {
    List<ThreadStack> stacks = jvmti().frames().stackTraces(List.of(threads), maxFrames);
    return stacks.stream().map(OursFrame::text).collect(Collectors.joining("; "));
  }

  @Override
  default String getFrameCount(Thread thread) {
    return String.valueOf(jvmti().frames().count(thread));
  }

  @Override
  default String getFrameLocation(Thread thread, int depth) {
    return text(jvmti().frames().at(thread, depth));
  }

  @Override
  default String notifyFramePop(Thread thread, int outer) {
    jvmti().frames().notifyPop(thread, outer);
    return "NONE";
  }

  @Override
  default String clearAllFramePops(Thread thread) {
    jvmti().frames().clearPops(thread);
    return "NONE";
  }

  @Override
  default String popFrame(Thread thread) {
    jvmti().frames().pop(thread);
    return "NONE";
  }

  @Override
  default String forceEarlyReturnObject(Thread thread, Object object) {
    if (object == null) {
      jvmti().frames().forceReturnNull(thread);
    } else {
      jvmti().frames().forceReturn(thread, object);
    }
    return "NONE";
  }

  @Override
  default String forceEarlyReturnInt(Thread thread, long value) {
    jvmti().frames().forceReturn(thread, (int) value);
    return "NONE";
  }

  @Override
  default String forceEarlyReturnLong(Thread thread, long value) {
    jvmti().frames().forceReturn(thread, value);
    return "NONE";
  }

  @Override
  default String forceEarlyReturnFloat(Thread thread, long value) {
    jvmti().frames().forceReturn(thread, (float) value);
    return "NONE";
  }

  @Override
  default String forceEarlyReturnDouble(Thread thread, long value) {
    jvmti().frames().forceReturn(thread, (double) value);
    return "NONE";
  }

  @Override
  default String forceEarlyReturnVoid(Thread thread) {
    jvmti().frames().forceReturn(thread);
    return "NONE";
  }

  /**
   * On the calling thread both observers stand on the stack: the native of the agent, and the
   * method here that is called like it. It gets that native's name and location.
   */
  private static String text(StackFrame frame) {
    return frame.className().startsWith(Ours.class.getName())
        ? VmNatives.class.getName() + "." + frame.methodName() + ":-1"
        : frame.className() + "." + frame.methodName() + ":" + frame.location();
  }

  private static String text(StackTrace trace) {
    return trace.stream().map(OursFrame::text).collect(Collectors.joining(" < "));
  }

  private static String text(ThreadStack stack) {
    return Names.of(stack.thread())
        + " "
        + OursThread.hex(stack.state())
        + " "
        + text(stack.trace());
  }
}
