package io.jvmtools.benches;

import static io.jvmtools.event.EventTypes.DYNAMIC_CODE_GENERATED;
import static io.jvmtools.event.EventTypes.EXCEPTION;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.Profile;
import io.jvmtools.event.ProfileOptions;
import io.jvmtools.event.Subscription;
import java.util.List;

/**
 * What an event costs the thread on which it happens: told to Java, filtered, counted with its
 * stack, and recorded, each against a callback in C that does nothing. The event is an exception,
 * and, where no Java can run, code that the JVM has made.
 */
public final class EventsBench {

  /** So many that who begins to listen, and ends, counts for little. */
  private static final int TIMES = 20_000;

  private static final int ROUNDS = 31;
  private static final int DEEP = 50;

  private static final IllegalStateException THROWN =
      new IllegalStateException("always the same", null) {
        @Override
        public synchronized Throwable fillInStackTrace() {
          return this;
        }
      };

  private static volatile int caught;

  private final Report report;
  private final Jvmti jvmti;

  private EventsBench(Report report, Jvmti jvmti) {
    this.report = report;
    this.jvmti = jvmti;
  }

  /** Takes the path of the C library; {@code --json} prints JSON instead of a table. */
  public static void main(String[] args) throws Exception {
    System.load(args[0]);
    EventsC.open();
    Report report = new Report("events", args);
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_EXCEPTION_EVENTS)) {
      EventsBench bench = new EventsBench(report, jvmti);
      bench.told();
      Deep.runAtDepth(DEEP, bench::deep);
      bench.recorded();
    }
  }

  private void told() throws Exception {
    EventFilter here = EventFilter.ANY.threads(Thread.currentThread());
    List<Figure> figures =
        Race.run(
            Stopwatch.THREAD,
            ROUNDS,
            TIMES,
            new Contestant("in C", this::inC),
            new Contestant("told to Java", times -> toJava(times, here)),
            new Contestant("filtered", times -> toJava(times, here.classes(Error.class))),
            new Contestant("nobody listens", EventsBench::throwing));
    report.compare("told", figures.get(1), figures.get(0), Limit.atMostMore(250));
    report.compare("filtered by its class", figures.get(2), figures.get(0), null);
    report.compare("in C", figures.get(0), figures.get(3), null);
  }

  private void inC(int times) {
    EventsC.exceptions(true);
    throwing(times);
    EventsC.exceptions(false);
  }

  private void toJava(int times, EventFilter filter) {
    Subscription told = jvmti.events().on(EXCEPTION, filter, event -> caught++);
    throwing(times);
    told.close();
  }

  private void deep() {
    EventFilter here = EventFilter.ANY.threads(Thread.currentThread());
    ProfileOptions all = ProfileOptions.DEFAULT.filter(here);
    try {
      List<Figure> figures =
          Race.run(
              Stopwatch.THREAD,
              ROUNDS,
              TIMES,
              new Contestant("in C", this::inC),
              new Contestant("counted", times -> counted(times, all)),
              new Contestant("counted, 8 frames", times -> counted(times, all.depth(8))),
              new Contestant("counted, 1 frame", times -> counted(times, all.depth(1))));
      for (Figure counted : figures.subList(1, figures.size())) {
        report.compare("stack of " + DEEP, counted, figures.get(0), null);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private void counted(int times, ProfileOptions options) {
    Profile profile = jvmti.profile().exceptions(options);
    throwing(times);
    profile.close();
  }

  private void recorded() throws Exception {
    int events = EventsC.generate();
    try (Subscription told = jvmti.events().on(DYNAMIC_CODE_GENERATED, event -> {})) {
      List<Figure> figures =
          Race.run(
              Stopwatch.THREAD,
              101,
              10,
              new Contestant("in C", times -> generating(times, EventsC::generate)),
              new Contestant(
                  "recorded",
                  times ->
                      generating(times, () -> jvmti.events().generate(DYNAMIC_CODE_GENERATED))));
      report.compare(
          "one of " + events,
          figures.get(1).each(events),
          figures.get(0).each(events),
          Limit.atMostMore(60));
      jvmti.events().flush();
      long lost = told.counts().lost();
      if (lost > 0) {
        throw new IllegalStateException(lost + " were lost, which costs less");
      }
    }
  }

  private void generating(int times, Runnable generate) {
    // All that the ring has room for is told by then, by another thread.
    jvmti.events().flush();
    for (int i = 0; i < times; i++) {
      generate.run();
    }
  }

  private static void throwing(int times) {
    for (int i = 0; i < times; i++) {
      try {
        fails();
      } catch (IllegalStateException expected) {
        caught++;
      }
    }
  }

  private static void fails() {
    throw THROWN;
  }
}
