package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GENERATE_MONITOR_EVENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.event.EventTypes;
import io.jvmtools.support.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the JVM is asked for so that whoever listens is told of all threads, as it says itself: for
 * each thread once, and no more when nobody listens.
 */
class ListeningAgainTest {

  @ParameterizedTest
  @EnumSource
  void threadsAreGoneThroughOnceForManyWhoListenAndTheirEndsToldToNobodyAfterwards(
      WayIn way, @TempDir Path dir) {
    Path log = dir.resolve("log");
    way.of(ListenAgain.class)
        .jvmArgs("-XX:TraceJVMTI=ec", "-Xlog:jvmti=trace:file=" + log + "::filecount=0")
        .args(log.toString())
        .run()
        .succeeds();
  }

  static final class ListenAgain {

    private static final int ROUNDS = 20;
    private static final String ALL = "[ALL] # user ";
    private static final String MAIN = "[main] # user ";
    private static final String ENDS = "abled event ThreadEnd";

    public static void main(String[] args) {
      Path log = Path.of(args[0]);
      for (int round = 0; round < ROUNDS; round++) {
        listen();
      }
      assertThat(said(log, ALL + "en" + ENDS)).isPositive();
      // More than once if it takes seconds.
      assertThat(said(log, MAIN + "dis" + ENDS)).isBetween(1L, ROUNDS - 1L);
      Eventually.isTrue(
          "nobody is told of the ends of threads",
          () -> said(log, ALL + "dis" + ENDS) == said(log, ALL + "en" + ENDS));
      long before = said(log, MAIN + "dis" + ENDS);
      listen();
      assertThat(said(log, MAIN + "dis" + ENDS)).isEqualTo(before + 1);
    }

    private static void listen() {
      try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_MONITOR_EVENTS)) {
        jvmti.events().on(EventTypes.MONITOR_WAIT, event -> {}).close();
      }
    }

    private static long said(Path log, String words) {
      try (var lines = Files.lines(log)) {
        return lines.filter(line -> line.endsWith(words)).count();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
