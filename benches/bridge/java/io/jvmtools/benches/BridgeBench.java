package io.jvmtools.benches;

import io.jvmtools.Jvmti;
import io.jvmtools.internal.SelfTestNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import java.util.List;

/**
 * What our bridge adds to a native call: an empty native of ours, with gate, handle look-up and
 * guard, against an empty native in C, on one thread and on two.
 */
public final class BridgeBench {

  private BridgeBench() {}

  /** Takes the path of the C library; {@code --json} prints JSON instead of a table. */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    Report report = new Report("bridge", args);
    try (Jvmti jvmti = Jvmti.open()) {
      long env = GeneralNatives.open(jvmti);
      for (int threads = 1; threads <= 2; threads++) {
        List<Figure> figures =
            Race.run(
                Stopwatch.onThreads(threads),
                new Contestant("empty native", times -> ours(env, times)),
                new Contestant("empty native in C", times -> c(env, times)));
        String subject = threads == 1 ? "one thread" : "two threads";
        report.compare(subject, figures.get(0), figures.get(1), Limit.atMostMore(5));
      }
      GeneralNatives.close(env);
    }
  }

  private static void ours(long env, int times) {
    for (int i = 0; i < times; i++) {
      SelfTestNatives.empty(env);
    }
  }

  private static void c(long env, int times) {
    for (int i = 0; i < times; i++) {
      EmptyC.empty(env);
    }
  }
}
