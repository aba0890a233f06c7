package io.jvmtools;

/**
 * The thread was suspended already.
 *
 * <p>Another tool can have suspended it, so a correct program can meet this at any time. Whoever
 * did resumes it: suspensions are not counted.
 */
public final class ThreadSuspendedException extends JvmtiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param function the JVM TI function
   * @param error what it answered
   * @param explanation what that means here and what helps; may be empty
   */
  public ThreadSuspendedException(String function, JvmtiError error, String explanation) {
    super(function, error, explanation);
  }
}
