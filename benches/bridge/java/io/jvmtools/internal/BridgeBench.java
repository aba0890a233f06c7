package io.jvmtools.internal;

import io.jvmtools.Jvmti;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CyclicBarrier;
import java.util.function.LongConsumer;

/**
 * What our bridge adds to a native call: an empty native of ours, with gate, handle look-up and
 * guard, against an empty native in C. The two take turns within one run, in rounds so short that
 * many are undisturbed. What disturbs a round only adds to it, so each side's figure is its fastest
 * tenth; the medians stand beside them.
 */
public final class BridgeBench {
  /** CPU time, so that what else runs on the machine does not count. */
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final int CALLS = 500_000;
  private static final int ROUNDS = 401;
  private static final double LIMIT = 5;

  private BridgeBench() {}

  /** Takes the path of the C library; {@code --json} prints one line of JSON instead of a table. */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    boolean json = Arrays.asList(args).contains("--json");
    boolean good = true;
    try (Jvmti jvmti = Jvmti.open()) {
      long env = GeneralNatives.open(jvmti);
      if (!json) {
        System.out.printf(
            "%-8s %8s %8s %10s %12s %12s%n",
            "threads", "C ns", "ours ns", "ours - C", "median C", "median ours");
      }
      for (int threads = 1; threads <= 2; threads++) {
        good &= report(threads, measure(threads, env), json);
      }
      GeneralNatives.close(env);
    }
    System.exit(good ? 0 : 1);
  }

  private static boolean report(int threads, double[][] rounds, boolean json) {
    double c = fastest(rounds[0]);
    double ours = fastest(rounds[1]);
    double more = ours - c;
    String format =
        json
            ? "{\"threads\":%d,\"c_ns\":%.2f,\"ours_ns\":%.2f,\"difference_ns\":%.2f,"
                + "\"median_c_ns\":%.2f,\"median_ours_ns\":%.2f}%n"
            : "%-8d %8.2f %8.2f %10.2f %12.2f %12.2f%n";
    double medianC = quantile(rounds[0], 0.5);
    double medianOurs = quantile(rounds[1], 0.5);
    System.out.printf(Locale.ROOT, format, threads, c, ours, more, medianC, medianOurs);
    return more <= LIMIT;
  }

  /** Nanoseconds a call: C in row 0, ours in row 1, one column a round. */
  private static double[][] measure(int threads, long env) throws Exception {
    LongConsumer c = BridgeBench::callC;
    LongConsumer ours = BridgeBench::callOurs;
    for (int i = 0; i < 60; i++) {
      c.accept(env);
      ours.accept(env);
    }
    double[][] rounds = new double[2][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      rounds[0][round] = time(threads, c, env);
      rounds[1][round] = time(threads, ours, env);
    }
    return rounds;
  }

  private static double time(int threads, LongConsumer body, long env) throws Exception {
    CyclicBarrier start = new CyclicBarrier(threads);
    long[] nanos = new long[threads];
    Thread[] workers = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      int me = i;
      workers[i] =
          new Thread(
              () -> {
                try {
                  start.await();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
                long before = THREADS.getCurrentThreadCpuTime();
                body.accept(env);
                nanos[me] = THREADS.getCurrentThreadCpuTime() - before;
              });
      workers[i].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
    return (double) Arrays.stream(nanos).sum() / threads / CALLS;
  }

  private static void callC(long env) {
    for (int i = 0; i < CALLS; i++) {
      EmptyC.empty(env);
    }
  }

  private static void callOurs(long env) {
    for (int i = 0; i < CALLS; i++) {
      SelfTestNatives.empty(env);
    }
  }

  private static double fastest(double[] values) {
    return quantile(values, 0.1);
  }

  private static double quantile(double[] values, double part) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) (sorted.length * part)];
  }
}
