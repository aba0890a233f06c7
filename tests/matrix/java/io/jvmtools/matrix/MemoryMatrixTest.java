package io.jvmtools.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.OneJdkADay;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The library does the same whatever the JVM does with its memory: one child for each row. */
@OneJdkADay
class MemoryMatrixTest {

  @ParameterizedTest
  @EnumSource
  void everythingWorks(MemoryLayout layout) {
    layout.missing().ifPresent(reason -> assumeTrue(false, layout + ": " + reason));
    ChildResult result =
        ChildJvm.of(Exercise.class)
            .agent("")
            .jvmArgs(layout.flags())
            .jvmArgs("-Xms192m", "-Xmx192m")
            .jvmArgs("-XX:+UnlockDiagnosticVMOptions", "-XX:+ShowHiddenFrames")
            .args(layout.name())
            .run()
            .succeeds();
    assertThat(result.outLines()).containsExactlyElementsOf(Exercise.FACTS);
  }
}
