package io.jvmtools.benches;

import java.util.Arrays;

/**
 * What a contestant takes, in nanoseconds for each time it is done.
 *
 * @param name the contestant's name
 * @param cpu CPU time, the fastest tenth of the rounds
 * @param median CPU time, the median of the rounds
 * @param elapsed elapsed time, the fastest tenth of the rounds; not a number if most of it is a
 *     pause
 */
record Figure(String name, double cpu, double median, double elapsed) {

  /** From rounds in which it was done so many times each. */
  static Figure of(String name, Stopwatch.Lap[] laps, int times) {
    double[] cpu = Arrays.stream(laps).mapToDouble(Stopwatch.Lap::cpuNanos).sorted().toArray();
    double[] elapsed =
        Arrays.stream(laps).mapToDouble(Stopwatch.Lap::elapsedNanos).sorted().toArray();
    return new Figure(
        name,
        cpu[laps.length / 10] / times,
        cpu[laps.length / 2] / times,
        elapsed[laps.length / 10] / times);
  }

  /** What is left of the CPU time when that of rounds that only pause is taken away. */
  Figure without(Figure pausing) {
    return new Figure(name, cpu - pausing.cpu(), median - pausing.median(), Double.NaN);
  }

  /** The same for one of the parts that are done each time. */
  Figure each(int parts) {
    return new Figure(name, cpu / parts, median / parts, elapsed / parts);
  }
}
