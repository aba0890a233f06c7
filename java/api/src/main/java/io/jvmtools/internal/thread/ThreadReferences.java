package io.jvmtools.internal.thread;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** What a reference to a thread is good for. */
public final class ThreadReferences {

  private ThreadReferences() {}

  /**
   * The thread as natives take it.
   *
   * @param thread a thread that a user has named
   * @return the same, or null for the current thread, which the JVM then need not look for
   */
  public static @Nullable Thread nullIfCurrent(Thread thread) {
    return requireNonNull(thread, "thread") == Thread.currentThread() ? null : thread;
  }

  /**
   * Whether a thread object can be used. A native thread that is attaching is in the JVM's list
   * before the constructor of its object has run, and then even printing it fails.
   *
   * @param thread a thread that the JVM has named
   * @return whether it has a name and a priority
   */
  public static boolean isBuilt(Thread thread) {
    try {
      return thread.getName() != null && thread.getPriority() > 0;
    } catch (NullPointerException unfinished) {
      return false;
    }
  }
}
