package io.jvmtools.stack;

import io.jvmtools.FrameUnavailableException;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import java.util.List;

/**
 * Stacks and frames: where threads are. Needs no capability.
 *
 * <p>Depths count from 0, the innermost frame. On the calling thread the frames of this library are
 * left out: depth 0 is the method that called it.
 *
 * <p>Nothing is suspended for long: a running thread goes on as soon as its stack has been read, so
 * a trace shows one moment, and the next one may differ.
 */
public final class Frames {

  static {
    Makers.register(
        Frames.class,
        new Maker<Environment, Frames>() {
          @Override
          public Frames make(Environment environment) {
            return new Frames(environment);
          }
        });
  }

  private final Environment environment;

  Frames(Environment environment) {
    this.environment = environment;
  }

  /**
   * The whole stack of a thread.
   *
   * <p>JDK 22 to 25 crash, once in some hundred thousand calls, where a virtual thread is mounted
   * or unmounted meanwhile. So there another virtual thread is read at a safepoint, as several are
   * by {@link #stackTraces(List)}: that takes a tenth of a millisecond, for one as for many.
   *
   * @param thread a live thread
   * @return its frames, innermost first
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetStackTrace")
  public StackTrace stackTrace(Thread thread) {
    return Stacks.read(environment, thread, 0, Stacks.ALL);
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
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetStackTrace")
  public StackTrace stackTrace(Thread thread, int start, int maxFrames) {
    return Stacks.read(environment, thread, start, maxFrames);
  }

  /**
   * The whole stacks of all live platform threads, in the order in which the JVM lists them.
   *
   * <p>All threads are read at one moment, except that those of more than 512 frames are read once
   * more, a little later.
   *
   * @return an unmodifiable list
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetAllStackTraces")
  public List<ThreadStack> allStackTraces() {
    return Stacks.all(environment, Stacks.ALL);
  }

  /**
   * The inner ends of the stacks of all live platform threads, in the order in which the JVM lists
   * them. With at most 500 frames all threads are read at one moment.
   *
   * <p>Their states at that moment are told too.
   *
   * @param maxFrames how many frames a thread at most
   * @return an unmodifiable list
   * @throws IllegalArgumentException if {@code maxFrames} is not positive
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetAllStackTraces")
  public List<ThreadStack> allStackTraces(int maxFrames) {
    return Stacks.all(environment, maxFrames);
  }

  /**
   * The whole stacks of some threads, virtual ones among them.
   *
   * <p>Up to 8,000 threads are read at one moment, except that those of more than 512 frames are
   * read once more, a little later.
   *
   * @param threads the threads, started or not, alive or not
   * @return an unmodifiable list in the same order; a thread that is not alive has no frames
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadListStackTraces")
  public List<ThreadStack> stackTraces(List<Thread> threads) {
    return Stacks.of(environment, threads, Stacks.ALL);
  }

  /**
   * The inner ends of the stacks of some threads, virtual ones among them. With at most 500 frames
   * and 8,000 threads all are read at one moment.
   *
   * @param threads the threads, started or not, alive or not
   * @param maxFrames how many frames a thread at most
   * @return an unmodifiable list in the same order; a thread that is not alive has no frames
   * @throws IllegalArgumentException if {@code maxFrames} is not positive
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadListStackTraces")
  public List<ThreadStack> stackTraces(List<Thread> threads, int maxFrames) {
    return Stacks.of(environment, threads, maxFrames);
  }

  /**
   * How deep the stack of a thread is.
   *
   * @param thread a live thread
   * @return the number of its frames
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetFrameCount")
  public int count(Thread thread) {
    return Stacks.count(environment, thread);
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
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetFrameLocation")
  public StackFrame at(Thread thread, int depth) {
    return Stacks.at(environment, thread, depth);
  }
}
