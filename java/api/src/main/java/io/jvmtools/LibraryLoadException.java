package io.jvmtools;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * The native library could not be loaded. The message lists everything that was tried, one attempt
 * on a line, each with what went wrong and what helps.
 */
public class LibraryLoadException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** What was tried, in order. */
  private final String[] attempts;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param summary what failed, in one line
   * @param attempts what was tried, in order, each with its outcome
   */
  public LibraryLoadException(String summary, List<String> attempts) {
    super(message(summary, attempts));
    this.attempts = attempts.toArray(String[]::new);
  }

  /**
   * What was tried, in order, each with its outcome.
   *
   * @return an unmodifiable list
   */
  public List<String> attempts() {
    return List.of(attempts);
  }

  private static String message(String summary, List<String> attempts) {
    StringBuilder text = new StringBuilder(requireNonNull(summary, "summary"));
    for (String attempt : requireNonNull(attempts, "attempts")) {
      requireNonNull(attempt, "attempts");
      text.append(System.lineSeparator()).append("  - ").append(attempt);
    }
    return text.toString();
  }
}
