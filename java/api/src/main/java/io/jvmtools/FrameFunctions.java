package io.jvmtools;

import io.jvmtools.internal.thread.ThreadMap;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.stack.ThreadStack;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** Stacks. A part of {@link JvmTools}. */
abstract sealed class FrameFunctions extends HeapFunctions permits ThreadFunctions {

  /**
   * The whole stack of a thread.
   *
   * @param thread a live thread
   * @return its frames, innermost first
   * @throws ThreadNotAliveException if the thread has not started or has ended
   */
  @JvmtiFunction("GetStackTrace")
  public static StackTrace getStackTrace(Thread thread) {
    return DefaultEnvironment.get().frames().stackTrace(thread);
  }

  /**
   * A part of the stack of a thread.
   *
   * @param thread a live thread
   * @param start the depth of the first frame, 0 for the innermost
   * @param maxFrames how many frames at most
   * @return the frames, innermost first
   * @throws IllegalArgumentException if {@code start} is negative or {@code maxFrames} not positive
   * @throws FrameUnavailableException if the stack is not as deep as {@code start}
   * @throws ThreadNotAliveException if the thread has not started or has ended
   */
  @JvmtiFunction("GetStackTrace")
  public static StackTrace getStackTrace(Thread thread, int start, int maxFrames) {
    return DefaultEnvironment.get().frames().stackTrace(thread, start, maxFrames);
  }

  /**
   * The whole stacks of all live platform threads, in the order in which the JVM lists them.
   *
   * <p>All threads are read at one moment, except that those of more than 512 frames are read once
   * more, a little later.
   *
   * @return an unmodifiable map
   */
  @JvmtiFunction("GetAllStackTraces")
  public static Map<Thread, StackTrace> getAllStackTraces() {
    Map<Thread, StackTrace> traces = new ThreadMap<>();
    for (ThreadStack stack : DefaultEnvironment.get().frames().allStackTraces()) {
      traces.put(stack.thread(), stack.trace());
    }
    return Collections.unmodifiableMap(traces);
  }

  /**
   * The whole stacks of some threads with their states, virtual threads among them. Up to 8,000
   * threads are read at one moment, except that those of more than 512 frames are read once more.
   *
   * @param threads the threads, started or not, alive or not
   * @return an unmodifiable list in the same order; a thread that is not alive has no frames
   */
  @JvmtiFunction("GetThreadListStackTraces")
  public static List<ThreadStack> getThreadListStackTraces(List<Thread> threads) {
    return DefaultEnvironment.get().frames().stackTraces(threads);
  }

  /**
   * The inner ends of the stacks of some threads with their states, virtual threads among them.
   * With at most 500 frames and 8,000 threads all are read at one moment.
   *
   * @param threads the threads, started or not, alive or not
   * @param maxFrames how many frames a thread at most
   * @return an unmodifiable list in the same order; a thread that is not alive has no frames
   * @throws IllegalArgumentException if {@code maxFrames} is not positive
   */
  @JvmtiFunction("GetThreadListStackTraces")
  public static List<ThreadStack> getThreadListStackTraces(List<Thread> threads, int maxFrames) {
    return DefaultEnvironment.get().frames().stackTraces(threads, maxFrames);
  }

  /**
   * How deep the stack of a thread is.
   *
   * @param thread a live thread
   * @return the number of its frames
   * @throws ThreadNotAliveException if the thread has not started or has ended
   */
  @JvmtiFunction("GetFrameCount")
  public static int getFrameCount(Thread thread) {
    return DefaultEnvironment.get().frames().count(thread);
  }

  /**
   * One frame of a thread.
   *
   * @param thread a live thread
   * @param depth 0 for the innermost frame
   * @return the frame
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep
   * @throws ThreadNotAliveException if the thread has not started or has ended
   */
  @JvmtiFunction("GetFrameLocation")
  public static StackFrame getFrameLocation(Thread thread, int depth) {
    return DefaultEnvironment.get().frames().at(thread, depth);
  }
}
