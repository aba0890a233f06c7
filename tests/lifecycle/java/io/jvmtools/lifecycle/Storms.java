package io.jvmtools.lifecycle;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import java.time.Duration;
import java.util.List;

/**
 * {@link EventStorm} under each collector, by hand for as long as one likes: {@code ./dev storm}.
 */
final class Storms {

  /** With it every kind of event can be had. */
  static final String PREPARED = "prepare=debugging+tracing";

  private static final List<String> COLLECTORS =
      List.of("Serial", "Parallel", "G1", "Z", "Shenandoah");

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Storms() {}

  /** Runs one under each collector, for so many seconds each. */
  public static void main(String[] args) {
    long millis = Duration.ofSeconds(Long.parseLong(args[0])).toMillis();
    for (String collector : COLLECTORS) {
      for (String options : List.of("", PREPARED)) {
        String told =
            ChildJvm.of(EventStorm.class)
                .agent(options)
                .jvmArgs("-XX:+Use" + collector + "GC", "-Xmx200m")
                .args(Long.toString(millis))
                .run(PATIENCE.plusMillis(millis))
                .succeeds()
                .line("told");
        int feature = Installation.feature();
        System.out.printf("JDK %d, %s, %s: %s%n", feature, collector, options, told);
      }
    }
  }
}
