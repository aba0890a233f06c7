package io.jvmtools;

/**
 * The thread had not started yet, or had already ended.
 *
 * <p>Threads end when they like, so a correct program can meet this at any time.
 */
public final class ThreadNotAliveException extends JvmtiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param function the JVM TI function
   * @param error what it answered
   * @param explanation what that means here and what helps; may be empty
   */
  public ThreadNotAliveException(String function, JvmtiError error, String explanation) {
    super(function, error, explanation);
  }
}
