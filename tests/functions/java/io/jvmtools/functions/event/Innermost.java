package io.jvmtools.functions.event;

/** What {@link io.jvmtools.functions.Between} extends, in another package. */
public class Innermost extends RuntimeException {
  private static final long serialVersionUID = 1;

  protected Innermost(String message) {
    super(message);
  }
}
