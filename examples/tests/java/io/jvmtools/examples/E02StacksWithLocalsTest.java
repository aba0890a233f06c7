package io.jvmtools.examples;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import org.junit.jupiter.api.Test;

/** What a thread has in its variables stands below its frame. */
class E02StacksWithLocalsTest {

  @Test
  void theVariablesOfAWaitingThreadAreBelowItsFrame() throws Exception {
    ChildResult run =
        ChildJvm.named("io.jvmtools.examples.E02StacksWithLocals")
            .agent("prepare=can_access_local_variables")
            .run()
            .succeeds();
    run.out()
        .anyMatch(
            line -> line.startsWith("\tat ") && line.contains(".withdraw(E02StacksWithLocals"))
        .anyMatch(line -> line.contains("account = \"account-7\""))
        .anyMatch(line -> line.contains("cents = 250"))
        .contains("250 cents stay in account-7");
  }
}
