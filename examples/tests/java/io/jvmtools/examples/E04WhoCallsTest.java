package io.jvmtools.examples;

import io.jvmtools.support.ChildJvm;
import org.junit.jupiter.api.Test;

/** Where a method is called is found, in the example itself for one. */
class E04WhoCallsTest {

  @Test
  void callsAreFoundInLoadedClassesWithTheirLines() throws Exception {
    ChildJvm.named("io.jvmtools.examples.E04WhoCalls")
        .args("java.util.stream.Stream", "flatMap")
        .run()
        .succeeds()
        .out()
        .anyMatch(call -> call.matches(".*\\.E04WhoCalls\\.main\\(E04WhoCalls\\.java:\\d+\\)"))
        .allMatch(call -> call.matches("\\S+\\([^()]+\\)"));
  }
}
