package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A JVM that nobody asks anything starts with the agent as it does without. */
class QuietStartTest {

  /** For the JDK's cleaner to wait, from 21 on, if it comes to that before the end. */
  private static final Set<String> OF_THE_CLEANER =
      Set.of(
          "java.util.concurrent.ForkJoinPool$ManagedBlocker",
          "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionNode");

  @Test
  void itDefinesNoClassAndRunsNoJava() {
    List<String> without = classesLoaded(child());
    assertThat(without).contains("java.lang.Object", Nothing.class.getName());
    assertThat(classesLoaded(child().agent(""))).isEqualTo(without);
  }

  static final class Nothing {
    public static void main(String[] args) {}
  }

  /** Few entries on the class path, as each is opened. */
  private static ChildJvm child() {
    Path here =
        Installation.classPath().stream()
            .filter(QuietStartTest::holdsThisClass)
            .findFirst()
            .orElseThrow();
    return ChildJvm.of(Nothing.class).classPath(here).jvmArgs("-Xlog:class+load=info:stdout:none");
  }

  private static boolean holdsThisClass(Path entry) {
    return entry.equals(
        Path.of(
            QuietStartTest.class.getProtectionDomain().getCodeSource().getLocation().getPath()));
  }

  /** Sorted, hidden classes without their addresses. */
  private static List<String> classesLoaded(ChildJvm child) {
    return child.run().succeeds().outLines().stream()
        .map(line -> line.replaceAll(" source: .*|0x\\p{XDigit}+.*", ""))
        .filter(name -> !OF_THE_CLEANER.contains(name))
        .sorted()
        .toList();
  }
}
