package io.jvmtools.benches;

import io.jvmtools.Jvmti;
import io.jvmtools.stack.Frames;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.ThreadStack;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A sampler that looks at 200 threads of 50 frames 100 times a second and counts what is on top:
 * the CPU time of the whole process, less that of a sampler that only wakes up and looks at
 * nothing.
 */
public final class SamplerBench {

  private static final long PERIOD = 10_000_000;
  private static final int SAMPLES = 100;
  private static final int WARM_UP = 2;
  private static final int TURNS = 7;
  private static final int SHALLOW = 16;

  private static final Map<String, Integer> TOPS = new HashMap<>();

  private SamplerBench() {}

  /** Takes the path of the C library; {@code --json} prints JSON instead of a table. */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    Report report = new Report("sampler", args);
    try (Jvmti jvmti = Jvmti.open()) {
      DeepThreads.during(200, 50, threads -> race(report, jvmti.frames()));
    }
  }

  private static void race(Report report, Frames frames) throws Exception {
    Contestant[] contestants = {
      sampler("nothing", () -> {}),
      sampler("frames().allStackTraces", () -> count(frames.allStackTraces())),
      sampler("the same, 16 frames", () -> count(frames.allStackTraces(SHALLOW))),
      sampler("Thread.getAllStackTraces", () -> count(Thread.getAllStackTraces())),
    };
    Race.run(Stopwatch.PROCESS, WARM_UP, SAMPLES, contestants);
    List<Figure> figures = Race.run(Stopwatch.PROCESS, TURNS, SAMPLES, contestants);
    Figure idle = figures.get(0);
    Figure java = figures.get(3).without(idle);
    Limit limit = Limit.atMostPercent(40);
    report.compare("a sample of 200 threads", figures.get(1).without(idle), java, limit);
    report.compare("a sample of 200 threads", figures.get(2).without(idle), java, null);
  }

  private static Contestant sampler(String name, Runnable sample) {
    return new Contestant(
        name,
        times -> {
          long next = System.nanoTime();
          for (int i = 0; i < times; i++) {
            sample.run();
            next += PERIOD;
            while (System.nanoTime() < next) {
              LockSupport.parkNanos(next - System.nanoTime());
            }
          }
        });
  }

  private static void count(List<ThreadStack> stacks) {
    for (ThreadStack stack : stacks) {
      stack.trace().top().map(StackFrame::methodName).ifPresent(SamplerBench::count);
    }
  }

  private static void count(Map<Thread, StackTraceElement[]> stacks) {
    for (StackTraceElement[] trace : stacks.values()) {
      if (trace.length > 0) {
        count(trace[0].getMethodName());
      }
    }
  }

  private static void count(String top) {
    TOPS.merge(top, 1, Integer::sum);
  }
}
