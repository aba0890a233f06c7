package io.jvmtools.pairs;

import io.jvmtools.support.ChildJvm;

/** How the library comes into the JVM, and what else is different there. */
enum Setup {
  /** By the first use of the jar, and under {@code -Xcheck:jni} unless something is measured. */
  JAR {
    @Override
    ChildJvm with(ChildJvm child) {
      return child;
    }
  },
  /** As the agent, so that monitors can be read, and with what only debuggers need. */
  AGENT {
    @Override
    ChildJvm with(ChildJvm child) {
      return child.agent("prepare=debugging+can_generate_method_entry_events").withoutJniChecks();
    }
  };

  abstract ChildJvm with(ChildJvm child);

  /** With a heap that takes its memory at once, so that what grows is not the heap. */
  ChildJvm child(Class<?> main) {
    return with(
        ChildJvm.of(main)
            .environment("MALLOC_ARENA_MAX", "1")
            .jvmArgs(
                "-Xms96m", "-Xmx96m", "-XX:+AlwaysPreTouch", "--enable-native-access=ALL-UNNAMED"));
  }

  /** With as little as possible that takes memory now and then. */
  ChildJvm measured(Class<?> main) {
    return child(main).withoutJniChecks().jvmArgs("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");
  }
}
