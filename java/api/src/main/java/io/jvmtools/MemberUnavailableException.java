package io.jvmtools;

/**
 * A method or a field is not in the JVM any more: its class has been unloaded, or, of a method that
 * a redefinition has replaced, nobody runs it any more.
 *
 * <p>Neither keeps its class alive, so a correct program can meet this at any time.
 */
public final class MemberUnavailableException extends JvmtiException {

  private static final long serialVersionUID = 1L;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param function the JVM TI function
   * @param error what it answered, or would answer
   * @param explanation what that means here and what helps; may be empty
   */
  public MemberUnavailableException(String function, JvmtiError error, String explanation) {
    super(function, error, explanation);
  }
}
