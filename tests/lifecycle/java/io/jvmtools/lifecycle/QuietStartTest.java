package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A JVM that nobody asks anything starts with the agent as it does without. */
class QuietStartTest {

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
        .sorted()
        .toList();
  }
}
