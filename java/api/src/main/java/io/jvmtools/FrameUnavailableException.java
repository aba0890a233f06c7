package io.jvmtools;

/**
 * The stack has no frame at that depth, or the frame there cannot be looked into.
 *
 * <p>The stack of a running thread changes all the time, so a correct program can meet this at any
 * time.
 */
public final class FrameUnavailableException extends JvmtiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param function the JVM TI function
   * @param error what it answered
   * @param explanation what that means here and what helps; may be empty
   */
  public FrameUnavailableException(String function, JvmtiError error, String explanation) {
    super(function, error, explanation);
  }
}
