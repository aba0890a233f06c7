package io.jvmtools.lifecycle;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import java.time.Duration;
import java.util.List;

/**
 * {@link EventStorm} under each collector, by hand for as long as one likes: {@code ./dev storm}.
 */
final class Storms {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private Storms() {}

  /** Runs one under each collector, for so many seconds each. */
  public static void main(String[] args) {
    long millis = Duration.ofSeconds(Long.parseLong(args[0])).toMillis();
    for (String collector : collectors()) {
      String told =
          child(collector, Long.toString(millis))
              .run(PATIENCE.plusMillis(millis))
              .succeeds()
              .line("told");
      System.out.println("JDK " + Installation.feature() + ", " + collector + ": " + told);
    }
  }

  static List<String> collectors() {
    return List.of("Serial", "Parallel", "G1", "Z", "Shenandoah");
  }

  static ChildJvm child(String collector, String millis) {
    return ChildJvm.of(EventStorm.class)
        .jvmArgs("-XX:+Use" + collector + "GC", "-Xmx200m")
        .args(millis);
  }
}
