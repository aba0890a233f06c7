package io.jvmtools.support;

import java.time.Duration;
import java.util.function.Supplier;

/** For how long something waits, whatever else the machine does meanwhile. */
public final class Shortest {

  private Shortest() {}

  /**
   * The shortest of up to so many times: a busy machine makes some of them longer and none shorter.
   * No more are made once one was short {@code enough}.
   */
  public static Duration of(int times, Duration enough, Supplier<Duration> time) {
    Duration shortest = time.get();
    for (int i = 1; i < times && shortest.compareTo(enough) >= 0; i++) {
      Duration next = time.get();
      shortest = next.compareTo(shortest) < 0 ? next : shortest;
    }
    return shortest;
  }
}
