package io.jvmtools.stack;

import static java.util.Objects.requireNonNull;

import io.jvmtools.thread.ThreadState;

/**
 * A thread, what it was doing and where, read at one moment.
 *
 * @param thread the thread; this record keeps it alive
 * @param state what it was doing
 * @param trace where it was, empty for a thread that had not started or had ended
 */
public record ThreadStack(Thread thread, ThreadState state, StackTrace trace) {

  /**
   * Refuses {@code null} components.
   *
   * @param thread the thread
   * @param state what it was doing
   * @param trace where it was
   */
  public ThreadStack {
    requireNonNull(thread, "thread");
    requireNonNull(state, "state");
    requireNonNull(trace, "trace");
  }

  /**
   * The thread's name and state, and its frames on lines of their own.
   *
   * @return a text to paste into a report
   */
  @Override
  public String toString() {
    String head = '"' + thread.getName() + "\" " + state;
    return trace.isEmpty() ? head : head + System.lineSeparator() + trace;
  }
}
