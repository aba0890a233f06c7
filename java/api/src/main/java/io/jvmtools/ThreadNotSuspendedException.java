package io.jvmtools;

/**
 * The thread was not suspended, and had to be.
 *
 * <p>Another tool can have resumed it, or its time was up, so a correct program can meet this at
 * any time.
 */
public final class ThreadNotSuspendedException extends JvmtiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param function the JVM TI function
   * @param error what it answered
   * @param explanation what that means here and what helps; may be empty
   */
  public ThreadNotSuspendedException(String function, JvmtiError error, String explanation) {
    super(function, error, explanation);
  }
}
