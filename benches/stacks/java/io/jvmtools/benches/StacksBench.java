package io.jvmtools.benches;

import io.jvmtools.Jvmti;
import io.jvmtools.stack.Frames;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.stack.ThreadStack;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Stacks: ours against what Java has, the traces alone and with all their names and lines read. A
 * StackWalker looks names up only then, so alone it is no measure.
 */
public final class StacksBench {

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static final StackWalker WALKER = StackWalker.getInstance();

  /** Where answers go. */
  private static volatile @Nullable Object sink;

  private static volatile long read;

  private final Report report;
  private final Frames frames;

  private StacksBench(Report report, Frames frames) {
    this.report = report;
    this.frames = frames;
  }

  /** Takes the path of the C library; {@code --json} prints JSON instead of a table. */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    Report report = new Report("stacks", args);
    try (Jvmti jvmti = Jvmti.open()) {
      StacksBench bench = new StacksBench(report, jvmti.frames());
      DeepThreads.during(1, 50, threads -> bench.other(threads.get(0)));
      bench.own();
      DeepThreads.during(1000, 50, threads -> bench.all());
    }
  }

  private void other(Thread thread) throws Exception {
    long[] id = {thread.getId()};
    List<Figure> traces =
        Race.run(
            Stopwatch.PROCESS,
            loop("frames().stackTrace", () -> frames.stackTrace(thread)),
            loop("Thread.getStackTrace", thread::getStackTrace),
            loop("getThreadInfo", () -> THREADS.getThreadInfo(id, false, false)));
    Limit limit = Report.feature() >= 25 ? Limit.faster(1.2) : oldLimit();
    report.compare("other thread, 50 frames", traces.get(0), traces.get(1), limit);
    report.compare("other thread, 50 frames", traces.get(0), traces.get(2), null);
    List<Figure> names =
        Race.run(
            Stopwatch.PROCESS,
            loop("frames().stackTrace", () -> names(frames.stackTrace(thread))),
            loop("Thread.getStackTrace", () -> names(thread.getStackTrace())));
    report.compare("the same, all names read", names.get(0), names.get(1), null);
  }

  private static @Nullable Limit oldLimit() {
    return Report.feature() == 17 ? Limit.faster(4) : null;
  }

  private void own() throws Exception {
    List<Figure> traces =
        Race.run(
            Stopwatch.PROCESS,
            below("frames().stackTrace", () -> frames.stackTrace(Thread.currentThread())),
            below("Thread.getStackTrace", () -> Thread.currentThread().getStackTrace()),
            below("StackWalker", () -> WALKER.walk(Stream::toList)));
    Limit limit = Report.feature() >= 25 ? Limit.faster(1.5) : null;
    report.compare("own thread, 32 frames", traces.get(0), traces.get(1), limit);
    report.compare("own thread, 32 frames", traces.get(0), traces.get(2), null);
    List<Figure> names =
        Race.run(
            Stopwatch.PROCESS,
            below("frames().stackTrace", () -> names(frames.stackTrace(Thread.currentThread()))),
            below("Thread.getStackTrace", () -> names(Thread.currentThread().getStackTrace())),
            below("StackWalker", StacksBench::walkNames));
    report.compare("the same, all names read", names.get(0), names.get(1), limit);
    report.compare("the same, all names read", names.get(0), names.get(2), limit);
  }

  private void all() throws Exception {
    List<Figure> traces =
        Race.run(
            Stopwatch.PROCESS,
            loop("frames().allStackTraces", frames::allStackTraces),
            loop("Thread.getAllStackTraces", Thread::getAllStackTraces),
            loop("dumpAllThreads", () -> THREADS.dumpAllThreads(false, false)));
    Limit limit = Report.feature() >= 25 ? Limit.faster(3) : null;
    report.compare("1,000 threads, 50 frames", traces.get(0), traces.get(1), limit);
    report.compare("1,000 threads, 50 frames", traces.get(0), traces.get(2), limit);
    List<Figure> names =
        Race.run(
            Stopwatch.PROCESS,
            loop("frames().allStackTraces", this::allNames),
            loop("Thread.getAllStackTraces", StacksBench::allNamesOfJava),
            loop("dumpAllThreads", StacksBench::allNamesOfManagement));
    report.compare("the same, all names read", names.get(0), names.get(1), null);
    report.compare("the same, all names read", names.get(0), names.get(2), null);
  }

  private Object allNames() {
    List<ThreadStack> stacks = frames.allStackTraces();
    stacks.forEach(stack -> names(stack.trace()));
    return stacks;
  }

  private static Object allNamesOfJava() {
    Map<Thread, StackTraceElement[]> stacks = Thread.getAllStackTraces();
    stacks.values().forEach(StacksBench::names);
    return stacks;
  }

  private static Object allNamesOfManagement() {
    ThreadInfo[] infos = THREADS.dumpAllThreads(false, false);
    for (ThreadInfo info : infos) {
      names(info.getStackTrace());
    }
    return infos;
  }

  private static Object names(StackTrace trace) {
    long sum = 0;
    for (StackFrame frame : trace) {
      sum += frame.className().length() + frame.methodName().length() + frame.line().orElse(-1);
    }
    read = sum;
    return trace;
  }

  private static Object names(StackTraceElement[] trace) {
    long sum = 0;
    for (StackTraceElement frame : trace) {
      sum += frame.getClassName().length() + frame.getMethodName().length() + frame.getLineNumber();
    }
    read = sum;
    return trace;
  }

  private static Object walkNames() {
    read =
        WALKER.walk(
            stack ->
                stack
                    .mapToLong(
                        frame ->
                            frame.getClassName().length()
                                + frame.getMethodName().length()
                                + frame.getLineNumber())
                    .sum());
    return WALKER;
  }

  private static Contestant loop(String name, Call call) {
    return new Contestant(name, times -> repeat(call, times));
  }

  /** With so many calls below it that the caller's is the 32nd frame. */
  private static Contestant below(String name, Call call) {
    return new Contestant(name, times -> Deep.runAtDepth(31, () -> repeat(call, times)));
  }

  private static void repeat(Call call, int times) {
    for (int i = 0; i < times; i++) {
      sink = call.make();
    }
  }

  /** A call with an answer. */
  private interface Call {
    Object make();
  }
}
