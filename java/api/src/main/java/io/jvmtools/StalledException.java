package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.thread.Threads;

/**
 * A call has waited for seconds for what it needed, and gave up. What it was to do is not done;
 * only what it was to give back or to close is given back and closed later.
 *
 * <p>Capabilities are added and given back, and threads are suspended and resumed, by two threads
 * of the library, {@code jvmtools-steward} and {@code jvmtools-watchdog}, which nobody can suspend
 * through this library. If another tool, or {@code Thread.suspend()} before JDK 20, has suspended
 * one of them, or it gets no further, calls that need it end with this exception after five
 * seconds, and not for having to wait for others. So does a call that needs all threads to stand
 * still while another thread keeps them so, as in {@link Threads#withOthersSuspended}, for longer
 * than that, and one that needs {@link Capability#CAN_SUSPEND} while a call of {@link JvmTools}
 * that has it stands still.
 *
 * <p>While the watchdog itself is suspended, what was suspended for a time stands, after a dump and
 * after {@link Jvmti#close()}, too, until somebody resumes the watchdog, or those threads one by
 * one by {@link Threads#resume(Thread)}.
 */
public final class StalledException extends IllegalStateException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param message what was waited for
   */
  public StalledException(String message) {
    super(requireNonNull(message, "message"));
  }
}
