package io.jvmtools.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.OneJdkADay;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A hundred thousand calls with forged input, half of them in a JVM that started with the agent.
 */
@OneJdkADay
class FuzzTest {

  private static final int CALLS = 50_000;
  private static final String SEED = "4";
  private static final Duration BOUND = Duration.ofMinutes(5);

  @Test
  void nothingCrashesNothingLeaksAndEveryFailureIsDocumented() {
    check(child());
  }

  @Test
  void norDoesItWithTheAgent() {
    check(child().agent(""));
  }

  private static ChildJvm child() {
    return ChildJvm.of(Fuzz.class)
        .jvmArgs("-Xms160m", "-Xmx160m", "-XX:+AlwaysPreTouch", "-XX:+EnableDynamicAgentLoading")
        .args(String.valueOf(CALLS), SEED);
  }

  private static void check(ChildJvm child) {
    ChildResult result = child.run(BOUND);
    result.succeeds();
    assertThat(result.line("calls ")).isEqualTo(String.valueOf(CALLS));
    assertThat(result.line("violations ")).isEqualTo("0");
  }
}
