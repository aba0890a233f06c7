package io.jvmtools.benches;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.stack.Frames;
import io.jvmtools.thread.Threads;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Suspending and resuming a thousand parked threads, against reading their stacks: what it costs
 * that they stand still, compared with what one wants to do then.
 */
public final class SuspensionBench {

  private static final int COUNT = 1000;
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  /** Where answers go. */
  private static volatile @Nullable Object sink;

  private SuspensionBench() {}

  /** Takes the path of the C library; {@code --json} prints JSON instead of a table. */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    Report report = new Report("suspension", args);
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_SUSPEND)) {
      DeepThreads.during(COUNT, 50, threads -> race(report, jvmti, threads));
    }
  }

  private static void race(Report report, Jvmti jvmti, List<Thread> threads) throws Exception {
    Threads ours = jvmti.threads();
    Frames frames = jvmti.frames();
    List<Figure> figures =
        Race.run(
            Stopwatch.PROCESS,
            loop("reading 1,000 stacks", () -> sink = frames.stackTraces(threads)),
            loop("suspend, resume: list", () -> asList(ours, threads)),
            loop("suspend, resume: each", () -> oneByOne(ours, threads)),
            loop(
                "withSuspended",
                () -> sink = ours.withSuspended(threads, DEADLINE, () -> threads)));
    Figure stacks = figures.get(0).each(COUNT);
    for (Figure figure : figures.subList(1, figures.size())) {
      report.compare("one of 1,000 threads", figure.each(COUNT), stacks, null);
    }
  }

  private static void asList(Threads ours, List<Thread> threads) {
    requireAll(ours.suspend(threads).isEmpty());
    requireAll(ours.resume(threads).isEmpty());
  }

  private static void oneByOne(Threads ours, List<Thread> threads) {
    threads.forEach(ours::suspend);
    threads.forEach(ours::resume);
  }

  private static void requireAll(boolean all) {
    if (!all) {
      throw new IllegalStateException("A thread that is parked could not be suspended or resumed");
    }
  }

  private static Contestant loop(String name, Runnable once) {
    return new Contestant(
        name,
        times -> {
          for (int i = 0; i < times; i++) {
            once.run();
          }
        });
  }
}
