package io.jvmtools.pairs;

import io.jvmtools.support.ChildJvm;

/** How the library comes into the JVM, and what else is different there. */
enum Setup {
  /** By the first use of the jar, under {@code -Xcheck:jni}. */
  JAR {
    @Override
    ChildJvm child() {
      return common();
    }
  },
  /** As the agent, so that monitors can be read. */
  AGENT {
    @Override
    ChildJvm child() {
      return common().agent("").withoutJniChecks();
    }
  };

  abstract ChildJvm child();

  /** With a heap that takes its memory at once, so that what grows is not the heap. */
  private static ChildJvm common() {
    return ChildJvm.of(Course.class)
        .jvmArgs(
            "-Xms160m", "-Xmx160m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED");
  }
}
