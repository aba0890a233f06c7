package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

/**
 * A breakpoint that an environment has set.
 *
 * @param method in which method
 * @param location at which of its instructions: a bytecode index
 */
public record Breakpoint(JvmMethod method, long location) {

  /**
   * Refuses a {@code null} method.
   *
   * @param method in which method
   * @param location at which of its instructions: a bytecode index
   */
  public Breakpoint {
    requireNonNull(method, "method");
  }

  /**
   * The breakpoint as a line.
   *
   * @return for example {@code "com.acme.Cart.total(Cart.java:42) at 17"}
   */
  @Override
  public String toString() {
    return method.toStackTraceElement(location) + " at " + location;
  }
}
