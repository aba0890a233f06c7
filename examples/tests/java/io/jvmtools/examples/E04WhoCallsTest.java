package io.jvmtools.examples;

import io.jvmtools.support.ChildJvm;
import org.junit.jupiter.api.Test;

/** The JDK's own callers of a method are found. */
class E04WhoCallsTest {

  @Test
  void callersOfAMethodOfTheJdkAreFoundInLoadedClasses() throws Exception {
    ChildJvm.named("io.jvmtools.examples.E04WhoCalls")
        .args("java.lang.Thread", "sleep")
        .run()
        .succeeds()
        .out()
        .anyMatch(call -> call.startsWith("java.base/java.util.concurrent.TimeUnit.sleep(TimeUnit"))
        .allMatch(call -> call.matches("\\S+\\([^()]+\\)"));
  }
}
