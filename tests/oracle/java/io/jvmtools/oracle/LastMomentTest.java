package io.jvmtools.oracle;

import io.jvmtools.support.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** From VMDeath on nothing is suspended: the JVM would wait for it for ever. */
class LastMomentTest {

  @Test
  void nobodySuspendsTheThreadThatEndsTheJvm() {
    ChildJvm.of(LastMoment.class)
        .agent("")
        .agent(Path.of(System.getProperty("jvmtools.test.oracle")), "")
        .run()
        .succeeds()
        .out()
        .contains("JVMTI_ERROR_WRONG_PHASE (112)");
  }
}
