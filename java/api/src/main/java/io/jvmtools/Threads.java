package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.ThreadFacts;
import io.jvmtools.internal.ThreadNatives;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Threads: which there are and what they do. Needs no capability. */
public final class Threads {

  private final Jvmti jvmti;

  Threads(Jvmti jvmti) {
    this.jvmti = jvmti;
  }

  /**
   * The platform threads that are alive, in the order in which the JVM lists them. Virtual threads
   * are not among them, threads that a tool attached are.
   *
   * @return an unmodifiable list
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetAllThreads")
  public List<Thread> all() {
    Thread[] threads = ThreadNatives.getAllThreads(jvmti.handle());
    return jvmti.keep(Arrays.stream(threads).filter(Threads::isBuilt).toList());
  }

  /**
   * Whether a thread object can be used. A native thread that is attaching is in the JVM's list
   * before the constructor of its object has run, and then even printing it fails.
   */
  static boolean isBuilt(Thread thread) {
    try {
      return thread.getName() != null && thread.getPriority() > 0;
    } catch (NullPointerException unfinished) {
      return false;
    }
  }

  /**
   * What a thread is doing.
   *
   * @param thread any thread, started or not, alive or not
   * @return its state
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadState")
  public ThreadState state(Thread thread) {
    return jvmti.keep(
        ThreadState.of(ThreadNatives.getThreadState(jvmti.handle(), nullIfCurrent(thread))));
  }

  /**
   * Name, priority, daemon status, group and context class loader of a thread.
   *
   * @param thread any thread, started or not, alive or not
   * @return the facts
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadInfo")
  public ThreadInfo info(Thread thread) {
    return jvmti.keep(
        new ThreadInfo(
            (ThreadFacts) ThreadNatives.getThreadInfo(jvmti.handle(), nullIfCurrent(thread))));
  }

  /** The JVM finds the current thread faster if it is not named. */
  static @Nullable Thread nullIfCurrent(Thread thread) {
    return requireNonNull(thread, "thread") == Thread.currentThread() ? null : thread;
  }
}
