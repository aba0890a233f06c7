package io.jvmtools;

import static java.util.Objects.requireNonNull;

/**
 * A {@code ClassFileTransformer} has thrown: the classes stay as they were, all of those that were
 * named in the call.
 *
 * <p>What it has thrown is the cause.
 */
public final class TransformationException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The name of the class. */
  private final String className;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param className the name of the class that was to be transformed
   * @param cause what was thrown
   */
  public TransformationException(String className, Throwable cause) {
    super(
        "The transformer of " + requireNonNull(className, "className") + " has thrown",
        requireNonNull(cause, "cause"));
    this.className = className;
  }

  /**
   * The class that was to be transformed.
   *
   * @return its name, as {@link Class#getName()} has it
   */
  public String className() {
    return className;
  }
}
