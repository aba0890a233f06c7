package io.jvmtools.oracle.java;

import io.jvmtools.oracle.actors.Virtual;
import io.jvmtools.oracle.asked.FrameFunctions;
import io.jvmtools.oracle.asked.Observer;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What Java says itself of the stem {@code frame}. */
interface JavaFrame extends FrameFunctions {

  /** Java cuts its traces off there. */
  int MOST = 1024;

  @Override
  default String getStackTrace(Thread thread, int startDepth, int maxFrames) {
    StackTraceElement[] trace = trace(thread);
    if (startDepth < 0 || startDepth >= trace.length || maxFrames < 0) {
      throw new Observer.NoAnswer();
    }
    return text(Arrays.stream(trace).skip(startDepth).limit(maxFrames));
  }

  @Override
  default String getFrameCount(Thread thread) {
    return String.valueOf(trace(thread).length);
  }

  @Override
  default String getFrameLocation(Thread thread, int depth) {
    StackTraceElement[] trace = trace(thread);
    if (depth < 0 || depth >= trace.length) {
      throw new Observer.NoAnswer();
    }
    return text(Stream.of(trace[depth]));
  }

  /** Java leaves its own machinery out of the stacks of virtual threads. */
  private static StackTraceElement[] trace(Thread thread) {
    if (!thread.isAlive() || Virtual.is(thread) || thread == Thread.currentThread()) {
      throw new Observer.NoAnswer();
    }
    StackTraceElement[] trace = thread.getStackTrace();
    if (trace.length >= MOST) {
      throw new Observer.NoAnswer();
    }
    return trace;
  }

  private static String text(Stream<StackTraceElement> frames) {
    return frames
        .map(frame -> frame.getClassName() + "." + frame.getMethodName())
        .collect(Collectors.joining(" < "));
  }
}
