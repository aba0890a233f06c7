package io.jvmtools.oracle.java;

import io.jvmtools.oracle.asked.ObjectFunctions;

/** What Java says itself of the stem {@code object}. */
interface JavaObject extends ObjectFunctions {

  @Override
  default String getObjectHashCode(Object object) {
    return String.valueOf(System.identityHashCode(object));
  }
}
