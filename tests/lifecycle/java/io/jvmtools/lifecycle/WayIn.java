package io.jvmtools.lifecycle;

import io.jvmtools.support.ChildJvm;

/** How the library comes into a child that does nothing about it itself. */
enum WayIn {
  /** By the first use of the jar. */
  JAR {
    @Override
    ChildJvm of(Class<?> main) {
      return ChildJvm.of(main);
    }
  },
  /** With the JVM, by {@code -agentpath}. */
  AGENT {
    @Override
    ChildJvm of(Class<?> main) {
      return ChildJvm.of(main).agent("");
    }
  };

  abstract ChildJvm of(Class<?> main);
}
