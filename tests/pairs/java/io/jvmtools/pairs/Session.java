package io.jvmtools.pairs;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.RunningChild;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A plan, carried out in child JVMs: a new one goes on where one has broken. */
final class Session {

  private static final Duration START = Duration.ofMinutes(2);
  private static final Duration PAIR = Duration.ofMillis(500);
  private static final int PROGRESS = 20;

  private final Setup setup;
  private final Plan plan;
  private final Consumer<String> listener;
  private final List<String> failures = new ArrayList<>();
  private final long started = System.nanoTime();
  private final int pairs;
  private int next;

  Session(Setup setup, Plan plan, Consumer<String> listener) {
    this.setup = setup;
    this.plan = plan;
    this.listener = listener;
    pairs = plan.pairs().size();
  }

  /** Answers what was wrong. */
  List<String> run() {
    while (next < pairs && goOn()) {
      // The next child begins after the pair that broke this one.
    }
    return failures;
  }

  /** Starts a child, and answers whether another one would come further. */
  private boolean goOn() {
    int first = next;
    Duration bound = START.plus(PAIR.multipliedBy((long) pairs * plan.rounds()));
    ChildJvm child = setup.child(Course.class).args(plan.toString(), Integer.toString(first));
    try (RunningChild running = child.start(bound)) {
      if (listen(running)) {
        running.end();
        return false;
      }
    } catch (AssertionError broken) {
      String last =
          next == first ? "before the first pair" : plan.command(plan.pairs().get(next - 1));
      // Where its main thread is comes first: of a long text only the ends are seen.
      String[] how = (broken.getMessage() + "\n").split("\n", 2);
      fail("broken: " + how[0] + "\n" + last + "\n" + how[1]);
    }
    return next > first;
  }

  /** Whether it has come to its end. */
  private boolean listen(RunningChild child) {
    int before = failures.size();
    while (true) {
      String line = child.await("");
      if (line.startsWith(Course.AT)) {
        next = Integer.parseInt(line.split(" ")[1]) + 1;
        progress();
      } else if (line.startsWith("failure: ") || line.startsWith("hang: ")) {
        fail(line);
      } else if (line.startsWith("  ") && failures.size() > before) {
        int last = failures.size() - 1;
        failures.set(last, failures.get(last) + "\n" + line);
        listener.accept(line);
      } else if (line.startsWith(Course.OVER)) {
        return !line.endsWith("hung");
      } else if (line.matches("(calls|suspensions|before|after|longest) .*")) {
        listener.accept(line);
      }
    }
  }

  private void fail(String text) {
    failures.add(setup + ": " + text);
    listener.accept(setup + ": " + text);
  }

  private void progress() {
    if (next % Math.max(1, pairs / PROGRESS) == 0) {
      long seconds = (System.nanoTime() - started) / 1_000_000_000;
      listener.accept(
          String.format(
              "pairs %s: %,d of %,d, %d s, %d failures",
              setup, next, pairs, seconds, failures.size()));
    }
  }
}
