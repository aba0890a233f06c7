package io.jvmtools;

/**
 * The JVM does not offer the function, or not for this kind of thread, object or class.
 *
 * <p>The CPU time of a virtual thread is an example: HotSpot does not count it.
 */
public final class NotSupportedException extends JvmtiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param function the JVM TI function
   * @param error what it answered
   * @param explanation what that means here and what helps; may be empty
   */
  public NotSupportedException(String function, JvmtiError error, String explanation) {
    super(function, error, explanation);
  }
}
