package io.jvmtools.benches;

import io.jvmtools.JvmTools;
import io.jvmtools.dump.DumpOptions;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A dump of ten thousand threads against what Java has, and for how long a thread stands still. */
public final class DumpBench {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final DumpOptions UNSUSPENDED = DumpOptions.defaults().withoutSuspension();
  private static final int COUNT = 10_000;
  private static final int FRAMES = 20;
  private static final int ROUNDS = 3;

  /** Where answers go. */
  private static volatile @Nullable Object sink;

  private DumpBench() {}

  /** Takes the path of the C library; {@code --json} prints JSON instead of a table. */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    Report report = new Report("dump", args);
    Contestant[] contestants = {
      dump("JvmTools.threadDump", JvmTools::threadDump),
      dump("threadDump, none suspended", () -> JvmTools.threadDump(UNSUSPENDED)),
      dump("Thread.getAllStackTraces", Thread::getAllStackTraces),
      dump("dumpAllThreads, locks", () -> THREADS.dumpAllThreads(true, true)),
    };
    DeepThreads.during(COUNT, FRAMES, threads -> race(report, contestants));
  }

  private static void race(Report report, Contestant[] contestants) throws Exception {
    List<Figure> figures = Race.run(Stopwatch.PROCESS, contestants);
    for (Figure ours : figures.subList(0, 2)) {
      for (Figure theirs : figures.subList(2, 4)) {
        report.compare("10,000 threads, 20 frames", ours, theirs, null);
      }
    }
    for (Figure figure : standstills(contestants)) {
      report.fact("longest standstill", figure.name(), figure.elapsed());
    }
  }

  /** In rounds of their own, because the thread that stands still is busy. */
  private static List<Figure> standstills(Contestant[] contestants) throws Exception {
    try (Pulse pulse = new Pulse()) {
      return Race.run(pulse, ROUNDS, 1, contestants);
    }
  }

  private static Contestant dump(String name, Call call) {
    return new Contestant(
        name,
        times -> {
          for (int i = 0; i < times; i++) {
            sink = call.make();
          }
        });
  }

  /** A call with an answer. */
  private interface Call {
    Object make();
  }
}
