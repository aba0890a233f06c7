package io.jvmtools.benches;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Contestants that take turns within one run, in rounds so short that many are undisturbed. What
 * disturbs a round only adds to it, so each figure is the fastest tenth of the rounds.
 */
final class Race {

  private static final long WARM_UP = TimeUnit.MILLISECONDS.toNanos(600);
  private static final long ROUND = TimeUnit.MILLISECONDS.toNanos(1);
  private static final long ALL_ROUNDS = TimeUnit.SECONDS.toNanos(4);
  private static final int FEWEST_ROUNDS = 3;
  private static final int MOST_ROUNDS = 801;

  private Race() {}

  /** Finds out how often each fits into a round and how many rounds into the time there is. */
  static List<Figure> run(Stopwatch stopwatch, Contestant... contestants) throws Exception {
    int[] times = new int[contestants.length];
    long turn = 0;
    for (int i = 0; i < contestants.length; i++) {
      double each = warmUp(stopwatch, contestants[i].body());
      times[i] = (int) Math.max(1, ROUND / each);
      turn += (long) (times[i] * each);
    }
    long rounds = Math.min(MOST_ROUNDS, Math.max(FEWEST_ROUNDS, ALL_ROUNDS / turn));
    return run(stopwatch, (int) rounds, times, contestants);
  }

  /** So many rounds, in each of which each contestant does it so many times. */
  static List<Figure> run(Stopwatch stopwatch, int rounds, int times, Contestant... contestants)
      throws Exception {
    int[] all = new int[contestants.length];
    Arrays.fill(all, times);
    return run(stopwatch, rounds, all, contestants);
  }

  private static List<Figure> run(
      Stopwatch stopwatch, int rounds, int[] times, Contestant[] contestants) throws Exception {
    Stopwatch.Lap[][] laps = new Stopwatch.Lap[contestants.length][rounds];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < contestants.length; i++) {
        // Each comes first in its turn, so that nobody always cleans up after the same one.
        int me = (i + round) % contestants.length;
        laps[me][round] = stopwatch.time(contestants[me].body(), times[me]);
      }
    }
    Figure[] figures = new Figure[contestants.length];
    for (int i = 0; i < contestants.length; i++) {
      figures[i] = Figure.of(contestants[i].name(), laps[i], times[i]);
    }
    return List.of(figures);
  }

  /** Until it has taken its time, and so often that the last run says what one time takes. */
  private static double warmUp(Stopwatch stopwatch, Body body) throws Exception {
    long begin = System.nanoTime();
    double least = Double.MAX_VALUE;
    int times = 1;
    do {
      Stopwatch.Lap lap = stopwatch.time(body, times);
      least = Math.min(least, Math.max(1.0, lap.elapsedNanos()) / times);
      if (lap.elapsedNanos() < ROUND) {
        times *= 2;
      }
    } while (System.nanoTime() - begin < WARM_UP);
    return least;
  }
}
