package io.jvmtools.functions;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Agent;
import io.jvmtools.AgentOrigin;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.OneJdkADay;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** The same tests once more, in a JVM that was started with the agent. */
@DisabledIfSystemProperty(
    named = UnderTheAgentTest.INSIDE,
    matches = "true",
    disabledReason = "this JVM is the one under the agent")
public class UnderTheAgentTest {

  public static final String INSIDE = "jvmtools.test.functions.agent";

  /** What is obtainable there though it costs: what tests of functions need. */
  static final String PREPARED = "debugging";

  /** What {@code ./dev try LocalsTest 17 agent} names. */
  private static final String ONE_CLASS = "jvmtools.test.functions.chosen";

  /** The end of the names of its tests. */
  private static final String NAMES =
      Optional.ofNullable(System.getProperty(ONE_CLASS))
          .filter(chosen -> !chosen.isEmpty())
          .map(chosen -> "\\b" + chosen)
          .orElse("Tests?");

  /** A minute where nothing else runs. */
  private static final Duration A_SUITE = Duration.ofMinutes(10);

  /** The tag of tests that start JVMs of their own, or to which the agent makes no difference. */
  public static final String ONCE = "once";

  /** The tag of tests that need the agent, or that the agent has other answers for. */
  public static final String ALWAYS = "always";

  @Test
  void whatNeedsItWorks() throws ClassNotFoundException {
    run(
        System.getProperty(ONE_CLASS, "").isEmpty()
            ? List.of("--include-tag=" + ALWAYS)
            : List.of());
  }

  /** All the others, on one JDK a day. */
  @Nested
  @OneJdkADay
  @DisabledIfSystemProperty(
      named = ONE_CLASS,
      matches = ".+",
      disabledReason = "what was asked for has been run")
  class WhatDoesWithoutIt {
    @Test
    void worksAndFailsAsWithoutIt() throws ClassNotFoundException {
      run(List.of("--exclude-tag=" + ALWAYS));
    }
  }

  private static void run(List<String> tags) throws ClassNotFoundException {
    ChildResult suite =
        ChildJvm.of(Class.forName("org.junit.platform.console.ConsoleLauncher"))
            .agent("prepare=" + PREPARED)
            .jvmArgs("-ea", "-D" + INSIDE + "=true")
            .args(
                "execute",
                "--disable-banner",
                "--disable-ansi-colors",
                "--details=tree",
                "--select-package=" + UnderTheAgentTest.class.getPackageName(),
                "--include-classname=.*" + NAMES,
                "--exclude-tag=" + ONCE)
            .args(tags.toArray(String[]::new))
            .run(A_SUITE);
    assertThat(failed(suite)).as(suite.transcript()).isEmpty();
    suite
        .succeeds()
        .out()
        .anyMatch(line -> line.contains(" 0 tests failed"))
        .anyMatch(line -> line.matches("\\[ +[1-9]\\d* tests successful .*"));
  }

  /** Which tests failed, and why: what it printed may be cut where this is reported. */
  private static List<String> failed(ChildResult suite) {
    return suite.outLines().stream()
        .filter(line -> line.matches(" +(MethodSource .*|=> .*)"))
        .map(String::strip)
        .toList();
  }

  /** Runs in both JVMs. */
  @Tag(ALWAYS)
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
