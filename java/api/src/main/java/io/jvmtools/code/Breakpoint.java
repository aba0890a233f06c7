package io.jvmtools.code;

/**
 * A breakpoint that an environment has set.
 *
 * @param method in which method
 * @param location at which of its instructions: a bytecode index
 */
public record Breakpoint(JvmMethod method, long location) {

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
