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
   * Compares where they are.
   *
   * @param other another one
   * @return whether it is the same place
   */
  // What a record gets by itself would keep our class loader before JDK 19 (JDK-8078641).
  @Override
  public boolean equals(Object other) {
    return other instanceof Breakpoint that
        && location == that.location
        && method.equals(that.method);
  }

  /**
   * Goes with {@link #equals}.
   *
   * @return a number
   */
  @Override
  public int hashCode() {
    return 31 * method.hashCode() + Long.hashCode(location);
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
