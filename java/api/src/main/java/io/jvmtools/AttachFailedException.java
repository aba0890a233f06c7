package io.jvmtools;

import static java.util.Objects.requireNonNull;

/**
 * The agent could not be loaded into another JVM. The message names the remedy where one is known.
 */
public final class AttachFailedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The JVM that was to be attached to. */
  private final long pid;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param pid the process id of the JVM
   * @param explanation what went wrong and what helps
   * @param cause what the attach mechanism threw
   */
  public AttachFailedException(long pid, String explanation, Throwable cause) {
    super("Cannot attach to process " + pid + ": " + explanation, cause);
    requireNonNull(explanation, "explanation");
    requireNonNull(cause, "cause");
    this.pid = pid;
  }

  /**
   * The JVM that was to be attached to.
   *
   * @return its process id
   */
  public long pid() {
    return pid;
  }
}
