package io.jvmtools.oracle.java;

import io.jvmtools.oracle.asked.Observer;
import io.jvmtools.oracle.asked.SystemFunctions;

/** What Java says itself of the stem {@code system}. */
interface JavaSystem extends SystemFunctions {

  /** It has those of the VM among its own, and others besides. */
  @Override
  default String getSystemProperty(String property) {
    if (!property.matches("java\\.vm\\..*|.*parallelism|no\\.such")) {
      throw new Observer.NoAnswer();
    }
    return System.getProperty(property, "NOT_AVAILABLE");
  }
}
