package io.jvmtools.benches;

import io.jvmtools.JvmTools;
import io.jvmtools.system.JniCallCounter;
import io.jvmtools.system.JniFunction;
import java.util.List;

/**
 * What counting adds to a JNI call: {@code GetVersion} while it is counted, against the same
 * function past the table; on one thread, and on two that share the count.
 */
public final class JniBench {

  private static volatile int sink;

  private JniBench() {}

  /** Takes the path of the C library; {@code --json} prints JSON instead of a table. */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    Report report = new Report("jni", args);
    JniC.copyTable();
    try (JniCallCounter counter = JvmTools.countJniCalls(JniFunction.GET_VERSION)) {
      for (int threads = 1; threads <= 2; threads++) {
        List<Figure> figures =
            Race.run(
                Stopwatch.onThreads(threads),
                new Contestant("counted", times -> sink = JniC.table(times)),
                new Contestant("not counted", times -> sink = JniC.copy(times)));
        String subject = threads == 1 ? "one thread" : "two threads";
        Limit limit = threads == 1 ? Limit.atMostMore(10) : null;
        report.compare(subject, figures.get(0), figures.get(1), limit);
      }
      if (counter.calls(JniFunction.GET_VERSION) == 0) {
        throw new IllegalStateException("nothing was counted");
      }
    }
  }
}
