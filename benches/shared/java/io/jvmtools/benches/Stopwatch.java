package io.jvmtools.benches;

import java.util.concurrent.CyclicBarrier;

/** Runs a body and says what it took. */
@FunctionalInterface
interface Stopwatch {

  /** By the CPU time of the calling thread: for what that thread does all alone. */
  Stopwatch THREAD =
      (body, times) -> {
        long elapsed = System.nanoTime();
        long cpu = ClockC.threadCpuNanos();
        body.run(times);
        return new Lap(ClockC.threadCpuNanos() - cpu, System.nanoTime() - elapsed);
      };

  /** By the CPU time of all threads: for what the JVM's own threads do in the caller's stead. */
  Stopwatch PROCESS =
      (body, times) -> {
        long elapsed = System.nanoTime();
        long cpu = ClockC.processCpuNanos();
        body.run(times);
        return new Lap(ClockC.processCpuNanos() - cpu, System.nanoTime() - elapsed);
      };

  /** Runs the body and measures it. */
  Lap time(Body body, int times) throws Exception;

  /** On that many new threads at once, by the mean of their CPU times. */
  static Stopwatch onThreads(int threads) {
    return (body, times) -> {
      CyclicBarrier start = new CyclicBarrier(threads);
      Lap[] laps = new Lap[threads];
      Thread[] workers = new Thread[threads];
      for (int i = 0; i < threads; i++) {
        int me = i;
        workers[i] = new Thread(() -> laps[me] = timeTogether(start, body, times));
        workers[i].start();
      }
      long cpu = 0;
      long elapsed = 0;
      for (int i = 0; i < threads; i++) {
        workers[i].join();
        cpu += laps[i].cpuNanos() / threads;
        elapsed += laps[i].elapsedNanos() / threads;
      }
      return new Lap(cpu, elapsed);
    };
  }

  private static Lap timeTogether(CyclicBarrier start, Body body, int times) {
    try {
      start.await();
      return THREAD.time(body, times);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * What one round took.
   *
   * @param cpuNanos the CPU time, in nanoseconds
   * @param elapsedNanos the elapsed time, in nanoseconds
   */
  record Lap(long cpuNanos, long elapsedNanos) {}
}
