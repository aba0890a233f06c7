package io.jvmtools.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.OtherVersion;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A shaded jar beside an agent of another version: whoever shaded it chose its version. */
class RelocatedVersionTest {

  @Test
  void itPassesTheAgentOverAndLoadsItsOwnLibrary(@TempDir Path dir) throws Exception {
    Path extracted = dir.resolve("extracted");
    ChildResult result =
        ChildJvm.named(Jars.RELOCATED_USE)
            .classPath(Jars.relocated(dir.resolve("shaded.jar")))
            .agent(OtherVersion.agent(dir), "")
            .jvmArgs("-Djvmtools.extract.dir=" + extracted)
            .run()
            .succeeds();
    assertThat(result.line("used ")).startsWith("LIBRARY " + extracted);
  }
}
