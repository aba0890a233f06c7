package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static io.jvmtools.event.EventTypes.CLASS_PREPARE;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What stays of those who listen no more. */
class AfterListenersTest {

  private static final int THREADS = 20_000;

  /** While somebody listens HotSpot 21 has as much for each of so many environments. */
  private static final int ENVIRONMENTS = 60;

  private static final long FEW_BYTES = 2_000;

  @ParameterizedTest
  @EnumSource
  @EnabledForJreRange(minVersion = 21, disabledReason = "virtual threads are of 21")
  void virtualThreadsTakeNoMore(WayIn way) {
    ChildResult result =
        way.of(Closed.class)
            .withoutJniChecks()
            .jvmArgs("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC")
            .run()
            .succeeds();
    assertThat(Long.parseLong(result.line("each takes "))).isLessThan(FEW_BYTES);
  }

  static final class Closed {

    public static void main(String[] args) throws IOException, InterruptedException {
      List<Jvmti> some =
          Stream.generate(() -> Jvmti.open(CAN_TAG_OBJECTS)).limit(ENVIRONMENTS).toList();
      some.forEach(Jvmti::close);
      try (Jvmti jvmti = Jvmti.open()) {
        jvmti.events().on(CLASS_PREPARE, event -> {}).close();
        // The first ones have the JVM make what it needs for any.
        started(1_000);
        long before = residentBytes();
        started(THREADS);
        System.out.println("each takes " + (residentBytes() - before) / THREADS);
      }
    }

    private static void started(int many) throws InterruptedException {
      CountDownLatch never = new CountDownLatch(1);
      CountDownLatch all = new CountDownLatch(many);
      for (int i = 0; i < many; i++) {
        VirtualThreads.start(
            "one",
            () -> {
              all.countDown();
              wait(never);
            });
      }
      all.await();
    }

    private static void wait(CountDownLatch never) {
      try {
        never.await();
      } catch (InterruptedException interrupted) {
        throw new IllegalStateException(interrupted);
      }
    }

    private static long residentBytes() throws IOException {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("RssAnon:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
        }
      }
      throw new IOException("no RssAnon");
    }
  }
}
