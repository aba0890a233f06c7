package io.jvmtools.functions;

import io.jvmtools.functions.event.Innermost;

/** Between two throwables of another package, of which one extends the other. */
public class Between extends Innermost {
  private static final long serialVersionUID = 1;

  public Between(String message) {
    super("between, " + message);
  }
}
