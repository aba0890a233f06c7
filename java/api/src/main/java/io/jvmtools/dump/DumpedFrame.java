package io.jvmtools.dump;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.Lists;
import io.jvmtools.stack.StackFrame;
import java.util.List;

/**
 * A frame of a thread in a {@link ThreadDump}, and what it holds.
 *
 * @param frame where the thread is
 * @param monitors the monitors that this frame entered; one that the thread has entered several
 *     times is at the innermost of the frames
 * @param locals its local variables, if they were read
 */
public record DumpedFrame(StackFrame frame, List<DumpedLock> monitors, List<DumpedLocal> locals) {

  /**
   * Refuses {@code null} components and copies the lists.
   *
   * @param frame where the thread is
   * @param monitors the monitors that this frame entered
   * @param locals its local variables
   */
  public DumpedFrame {
    requireNonNull(frame, "frame");
    monitors = Lists.copyOf(monitors, "monitors");
    locals = Lists.copyOf(locals, "locals");
  }

  /**
   * The frame, and what it holds on lines of their own.
   *
   * @return a text to paste into a report
   */
  @Override
  public String toString() {
    return DumpText.of(this);
  }
}
