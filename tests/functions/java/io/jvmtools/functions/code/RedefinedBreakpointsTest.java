package io.jvmtools.functions.code;

import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_FIELD_ACCESS_EVENTS;
import static io.jvmtools.Capability.CAN_REDEFINE_CLASSES;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.code.Breakpoint;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.JavaAgentJar;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a redefinition takes away, by another agent and by the library. */
class RedefinedBreakpointsTest {

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void theJvmDropsThemWithoutAWordAndKeepsWatches(@TempDir Path folder) {
    Path agent = JavaAgentJar.write(folder.resolve("redefine.jar"), Program.class);
    ChildJvm.of(Program.class)
        .agent("prepare=debugging")
        .jvmArgs("-javaagent:" + agent)
        .run()
        .succeeds()
        .out()
        .contains("dropped");
  }

  /** What the child runs. */
  static final class Program {

    private static Instrumentation instrumentation;

    private Program() {}

    public static void premain(String options, Instrumentation given) {
      instrumentation = given;
    }

    public static void main(String[] args) throws Exception {
      JvmMethod run = JvmMethod.of(Relay.class.getDeclaredMethod("run"));
      JvmField next = JvmField.of(Relay.class.getDeclaredField("next"));
      try (Jvmti jvmti =
          Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_GENERATE_FIELD_ACCESS_EVENTS)) {
        jvmti.breakpoints().set(run, 0);
        jvmti.watches().setReads(next);
        byte[] file = ClassFiles.of(Relay.class);
        instrumentation.redefineClasses(new ClassDefinition(Relay.class, file));
        // What it has set nobody has told it.
        assertThat(jvmti.breakpoints().all()).containsExactly(new Breakpoint(run, 0));
        assertThat(code(() -> jvmti.breakpoints().clear(run, 0))).isEqualTo("NOT_FOUND");
        assertThat(jvmti.breakpoints().all()).isEmpty();
        assertThat(jvmti.watches().allReads()).containsExactly(next);
        assertThat(code(() -> jvmti.watches().clearReads(next))).isEqualTo("NONE");
        assertThat(jvmti.watches().allReads()).isEmpty();
        jvmti.breakpoints().set(run, 0);
        jvmti.watches().setReads(next);
        // Of one of ours the library knows.
        jvmti.add(CAN_REDEFINE_CLASSES);
        jvmti.classes().redefine(Relay.class, file);
        assertThat(jvmti.breakpoints().all()).containsExactly(new Breakpoint(run, 0));
        jvmti.breakpoints().clear(run, 0);
        jvmti.watches().clearReads(next);
        jvmti.breakpoints().set(run, 0);
        // Those of ours put them back.
        JvmTools.redefineClass(Relay.class, file);
        assertThat(jvmti.breakpoints().all()).containsExactly(new Breakpoint(run, 0));
        assertThat(code(() -> jvmti.breakpoints().set(run, 0))).isEqualTo("DUPLICATE");
        JvmTools.retransformClasses(Relay.class);
        assertThat(code(() -> jvmti.breakpoints().clear(run, 0))).isEqualTo("NONE");
      }
      System.out.println("dropped");
    }

    private static String code(Runnable call) {
      try {
        call.run();
        return "NONE";
      } catch (JvmtiException refused) {
        return refused.error().name().replace("JVMTI_ERROR_", "");
      }
    }
  }
}
