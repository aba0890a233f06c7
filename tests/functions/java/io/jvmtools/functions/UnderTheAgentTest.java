package io.jvmtools.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Agent;
import io.jvmtools.AgentOrigin;
import io.jvmtools.functions.errors.ErrorsTest;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Sources;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** The same tests once more, in a JVM that was started with the agent. */
@DisabledIfSystemProperty(
    named = UnderTheAgentTest.INSIDE,
    matches = "true",
    disabledReason = "this JVM is the one under the agent")
class UnderTheAgentTest {

  static final String INSIDE = "jvmtools.test.functions.agent";

  private static final List<Class<?>> TESTS =
      List.of(
          AllStacksTest.class,
          CapabilitiesTest.class,
          ClassesTest.class,
          ErrorsTest.class,
          FramesTest.class,
          GeneralTest.class,
          GeneratedCodeTest.class,
          JvmtiTest.class,
          LiveObjectsTest.class,
          MonitorsTest.class,
          OriginTest.class,
          RunAgentThreadTest.class,
          SuspendTest.class,
          ThreadDumpTest.class,
          ThreadGroupsTest.class,
          ThreadStateTest.class,
          ThreadsTest.class,
          TimersTest.class,
          UnloadedClassTest.class,
          WithSuspendedTest.class);

  @Test
  void functionsWorkAndFailAsWithoutIt() throws ClassNotFoundException {
    List<String> arguments =
        new ArrayList<>(
            List.of("execute", "--disable-banner", "--disable-ansi-colors", "--details=tree"));
    TESTS.forEach(test -> arguments.add("--select-class=" + test.getName()));
    ChildJvm.of(Class.forName("org.junit.platform.console.ConsoleLauncher"))
        .agent("")
        .jvmArgs("-ea", "-D" + INSIDE + "=true")
        .args(arguments.toArray(String[]::new))
        .run()
        .succeeds()
        .out()
        .anyMatch(line -> line.contains(" 0 tests failed"));
  }

  /** Elsewhere it is skipped. */
  @Test
  void whatNeedsTheAgentIsAmongThem() {
    List<String> needing =
        Sources.under("tests/functions", "Test.java").stream()
            .filter(file -> Sources.text(file).contains("UnderTheAgentTest.INSIDE"))
            .map(file -> file.getFileName().toString().replace(".java", ""))
            .filter(name -> !name.equals(UnderTheAgentTest.class.getSimpleName()))
            .toList();
    assertThat(needing).isNotEmpty();
    assertThat(TESTS.stream().map(Class::getSimpleName))
        .as("UnderTheAgentTest.TESTS")
        .containsAll(needing);
  }

  /** Runs in both JVMs. */
  static class OriginTest {
    @Test
    void originIsHowTheLibraryCame() {
      AgentOrigin expected =
          Boolean.getBoolean(INSIDE) ? AgentOrigin.AT_START : AgentOrigin.LIBRARY;
      assertThat(Agent.origin()).isEqualTo(expected);
      assertThat(Agent.libraryPath()).exists();
    }
  }
}
