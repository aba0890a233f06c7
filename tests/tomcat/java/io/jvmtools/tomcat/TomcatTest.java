package io.jvmtools.tomcat;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.OneJdkADay;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two applications in a Tomcat without the agent, each redeployed fifty times. */
@OneJdkADay
class TomcatTest {

  /** What the compilers and the allocator may need; fifty images would need about fifty MB. */
  private static final long MOST_KB = 24 << 10;

  /** They take ten seconds on an idle machine. */
  private static final Duration BOUND = Duration.ofMinutes(5);

  /** What Tomcat's own start script opens, to find what applications leave behind. */
  private static final String[] LEAK_DETECTION = {
    "--add-opens=java.base/java.lang=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED",
  };

  @TempDir Path dir;

  @Test
  void aHundredRedeploysLeaveOneImageAndLevelMemory() {
    ChildResult idle = redeploys("idle", IdleServlet.class);
    ChildResult used = redeploys("used", UsingServlet.class);

    assertThat(used.line("images: ")).isEqualTo("1");
    assertThat(used.line("watchdogs: ")).isEqualTo("1");
    used.err().filteredOn(line -> line.contains("JvmTools")).hasSizeLessThanOrEqualTo(1);
    // Tomcat finds threads of its own, too.
    used.err().noneMatch(line -> line.contains("The web application") && line.contains("jvmtools"));
    assertThat(grown(used)).as(used.transcript()).isLessThan(grown(idle) + MOST_KB);
  }

  private ChildResult redeploys(String answer, Class<?> servlet) {
    return ChildJvm.of(Redeploys.class)
        .withoutJniChecks()
        .jvmArgs(LEAK_DETECTION)
        .jvmArgs("-Xms64m", "-Xmx64m", "-XX:+UseSerialGC", "-XX:+AlwaysPreTouch")
        .args(dir.resolve(answer).toString(), servlet.getName(), answer)
        .run(BOUND)
        .succeeds();
  }

  private static long grown(ChildResult result) {
    return Long.parseLong(result.line("grown in the second half, KB: "));
  }
}
