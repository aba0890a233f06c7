package io.jvmtools.oracle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Parked;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From VMDeath on nothing is suspended: the JVM would wait for it for ever. */
class LastMomentTest {

  @ParameterizedTest
  @ValueSource(strings = {"one", "list", "static door", "action", "all virtual"})
  void whatIsSuspendedIsResumed(String how) {
    assumeTrue(
        !how.equals("all virtual") || Parked.hasVirtualThreads(),
        "this JDK has no virtual threads");
    ChildJvm.of(LastMoment.class)
        .args(how)
        .agent("")
        .agent(Path.of(System.getProperty("jvmtools.test.oracle")), "")
        .run()
        .succeeds()
        .out()
        .contains("still suspended: false");
  }

  @Test
  void nobodySuspendsTheThreadThatEndsTheJvm() {
    ChildJvm.of(LastMoment.class)
        .agent("")
        .agent(Path.of(System.getProperty("jvmtools.test.oracle")), "")
        .run()
        .succeeds()
        .out()
        .contains("JVMTI_ERROR_WRONG_PHASE (112), SAFEPOINT");
  }
}
