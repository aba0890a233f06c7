package io.jvmtools;

import static java.util.Objects.requireNonNull;

/**
 * The JVM refused a JVM TI function.
 *
 * <p>What can happen in a correct program has a subclass of its own; this class stands for the
 * rest. The message has the function, the error with its number, what it means and what helps.
 */
public class JvmtiException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The function that was refused. */
  private final String function;

  /** The number of the error. */
  private final int code;

  /** The name of the error. */
  private final String errorName;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param function the JVM TI function, for example {@code "GetThreadState"}
   * @param error what it answered
   * @param explanation what that means here and what helps; may be empty
   */
  public JvmtiException(String function, JvmtiError error, String explanation) {
    super(message(function, error, explanation));
    this.function = function;
    this.code = error.number();
    this.errorName = error.name();
  }

  /**
   * The function that was refused, as the specification spells it.
   *
   * @return for example {@code "GetThreadState"}
   */
  public String function() {
    return function;
  }

  /**
   * Why it was refused.
   *
   * @return the error
   */
  public JvmtiError error() {
    return new JvmtiError(code, errorName);
  }

  /**
   * The number of the error.
   *
   * @return the same as {@code error().number()}
   */
  public int code() {
    return code;
  }

  private static String message(String function, JvmtiError error, String explanation) {
    requireNonNull(function, "function");
    requireNonNull(error, "error");
    requireNonNull(explanation, "explanation");
    return function + ": " + error + (explanation.isEmpty() ? "" : ": " + explanation);
  }
}
