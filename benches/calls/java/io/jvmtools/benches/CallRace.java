package io.jvmtools.benches;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A short call, made by our native, by an agent in C, and by our public method. */
final class CallRace {

  /** The limit is the bridge's, so it is the native that has to keep it. */
  private static final Limit LIMIT = Limit.atMostMore(5);

  /** Where answers go. */
  static volatile long sink;

  static volatile Object kept;

  private final Report report;

  CallRace(Report report) {
    this.report = report;
  }

  void race(String subject, Body ours, Body c, Body api) throws Exception {
    compare(
        subject,
        LIMIT,
        new Contestant("native", ours),
        new Contestant("agent in C", c),
        new Contestant("public method", api));
  }

  /** One who has no rival meanwhile. */
  Figure alone(String name, Runnable call) throws Exception {
    Body body =
        times -> {
          for (int i = 0; i < times; i++) {
            call.run();
          }
        };
    return Race.run(Stopwatch.PROCESS, new Contestant(name, body)).get(0);
  }

  /** Our public method against what the agent in C has needed before. */
  void compareAlone(String subject, Figure c, Runnable api) throws Exception {
    report.compare(subject, alone("public method", api), c, null);
  }

  private void compare(String subject, @Nullable Limit limit, Contestant... contestants)
      throws Exception {
    List<Figure> figures = Race.run(Stopwatch.THREAD, contestants);
    report.compare(subject, figures.get(0), figures.get(1), limit);
    report.compare(subject, figures.get(2), figures.get(1), null);
  }
}
