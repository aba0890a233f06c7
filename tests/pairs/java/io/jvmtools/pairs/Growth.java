package io.jvmtools.pairs;

import io.jvmtools.fuzz.Gauge;
import io.jvmtools.fuzz.Target;
import io.jvmtools.support.Child;
import io.jvmtools.support.Parked;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;

/**
 * Thousands of calls of each operation, and whether anything grows that does not grow with an
 * operation that does nothing.
 *
 * <p>What leaks grows with every thousand calls; a table that finds its size, or the compiler, does
 * not. So an operation leaks if the calls leave more each time.
 */
final class Growth {

  static final String FAILURE = "failure: ";
  static final String OVER = "over";

  /** How often the calls may leave something. */
  private static final int TIMES = 5;

  /** What chance may leave: less than 20 bytes for each of 10,000 calls. */
  private static final Gauge CHANCE = new Gauge(192, 192, 4, 40, 3, 6);

  private final Stage stage = new Stage();
  private final int calls;
  private final Duration most;
  private final Share share;
  private final List<String> only;

  private Growth(int calls, Duration most, Share share, List<String> only) {
    this.calls = calls;
    this.most = most;
    this.share = share;
    this.only = only;
  }

  /** So many calls, in at most so many milliseconds; a share; parts of the names of operations. */
  public static void main(String[] args) throws ReflectiveOperationException {
    Thread main = Thread.currentThread();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          // What is thrown at victims is nobody's concern.
          if (thread == main) {
            thrown.printStackTrace();
          }
        });
    Duration most = Duration.ofMillis(Long.parseLong(args[1]));
    List<String> only = List.of(args).subList(3, args.length);
    new Growth(Integer.parseInt(args[0]), most, Share.of(args[2]), only).run();
  }

  private void run() throws ReflectiveOperationException {
    List<Operation> operations =
        share.of(Operations.all()).stream()
            .filter(any -> only.isEmpty() || only.stream().anyMatch(any.toString()::contains))
            .toList();
    for (Named named : Named.values()) {
      if (named != Named.VIRTUAL || Parked.hasVirtualThreads()) {
        run(operations, named);
      }
    }
    for (Operation operation : operations) {
      demandReturn(operation);
    }
    tellNews();
    Child.say(OVER);
    System.exit(0);
  }

  private void demandReturn(Operation operation) throws ReflectiveOperationException {
    if (stage.hasYetToReturn(operation)) {
      stage.findings().during(operation + ", which a moment was too short for");
      try (Loop loop = new Loop(stage, operation)) {
        loop.untilItReturns();
      }
    }
  }

  private void run(List<Operation> operations, Named named) throws ReflectiveOperationException {
    Gauge allowed = allowed(named);
    Child.say(named + ": allowed " + allowed);
    for (Operation operation : operations) {
      if (named == Named.PLATFORM || operation.namesThreads()) {
        measure(operation, named, allowed);
      }
    }
  }

  /** What the same calls of nothing leave, once everything is there, and chance. */
  private Gauge allowed(Named named) throws ReflectiveOperationException {
    Method nothing = Growth.class.getDeclaredMethod("nothing", Thread.class);
    nothing.setAccessible(true);
    try (Loop loop = new Loop(stage, new Operation(new Target(nothing)), named)) {
      loop.run(calls, most);
      Gauge before = Gauge.read();
      loop.run(calls, most);
      return CHANCE.plusGrowth(before, Gauge.read());
    }
  }

  /** The control. */
  static void nothing(Thread thread) {}

  private void measure(Operation operation, Named named, Gauge allowed)
      throws ReflectiveOperationException {
    String what = operation + " " + named;
    stage.findings().during(what);
    stage.pools().victims().populate();
    long start = System.nanoTime();
    try (Loop loop = new Loop(stage, operation, named)) {
      // So that everything is there, and what was free before is used.
      loop.run(calls, most);
      int done = 0;
      int times = 0;
      long more = 0;
      List<String> grown;
      Gauge before = Gauge.read();
      do {
        done = loop.run(calls, most);
        Gauge after = Gauge.read();
        grown = after.grownSince(before, allowed);
        more = after.memoryKb() - before.memoryKb();
        before = after;
        times++;
      } while (!grown.isEmpty() && times < TIMES);
      if (!grown.isEmpty()) {
        stage.findings().add(what, done + " calls leave more each time: " + grown);
      }
      long millis = (System.nanoTime() - start) / 1_000_000;
      Child.say(
          String.format(
              "%s: %,d calls, %d times, %d ms, last %+d KB", what, done, times, millis, more));
      tellNews();
    }
  }

  private void tellNews() {
    stage.findings().news().forEach(finding -> Child.say(FAILURE + finding));
  }
}
