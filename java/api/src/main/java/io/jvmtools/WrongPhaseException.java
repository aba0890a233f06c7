package io.jvmtools;

/** The function does not work in the {@link Phase} that the JVM is in. */
public final class WrongPhaseException extends JvmtiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param function the JVM TI function
   * @param error what it answered
   * @param explanation what that means here and what helps; may be empty
   */
  public WrongPhaseException(String function, JvmtiError error, String explanation) {
    super(function, error, explanation);
  }
}
