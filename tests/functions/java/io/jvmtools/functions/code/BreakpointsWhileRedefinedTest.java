package io.jvmtools.functions.code;

import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_REDEFINE_CLASSES;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.code.Breakpoint;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Breakpoints in a class that is redefined at the same time: HotSpot alone does not survive that.
 */
class BreakpointsWhileRedefinedTest {

  private static final int ROUNDS = 1_000;

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void oneOfThemAtATime() {
    ChildJvm.of(Program.class).agent("prepare=debugging").run().succeeds();
  }

  /** What the child runs: in two environments, and closed in the middle. */
  static final class Program {

    private Program() {}

    public static void main(String[] args) throws Exception {
      byte[] file = ClassFiles.of(Relay.class);
      JvmMethod run = JvmMethod.of(Relay.class.getDeclaredMethod("run"));
      try (Jvmti redefines = Jvmti.open(CAN_REDEFINE_CLASSES)) {
        AtOnce.run(
            2,
            thread -> {
              for (int i = 0; i < ROUNDS; i++) {
                if (thread == 0) {
                  redefines.classes().redefine(Relay.class, file);
                } else {
                  setAndClear(run);
                }
              }
            });
      }
    }

    private static void setAndClear(JvmMethod run) {
      try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS)) {
        jvmti.breakpoints().set(run, 0);
        assertThat(jvmti.breakpoints().all())
            .as("whatever was redefined meanwhile")
            .containsExactly(new Breakpoint(run, 0));
        jvmti.breakpoints().clear(run, 0);
        jvmti.breakpoints().set(run, 0);
      }
    }
  }
}
