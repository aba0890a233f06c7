package io.jvmtools.pairs;

import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.fuzz.Gauge;
import io.jvmtools.support.Child;
import io.jvmtools.support.Eventually;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** The pairs of one JVM, one after the other. {@link Session} starts it and listens to it. */
final class Course {

  static final String AT = "at ";
  static final String OVER = "over ";
  static final int BROKEN = 3;

  /**
   * What a million calls and thousands of threads may leave: of threads that have ended as many are
   * remembered as live, and what the allocator keeps for threads is what most of them needed at
   * once.
   */
  private static final Gauge MOST = new Gauge(96 << 10, 48 << 10, 15, 150, 6, 60);

  private static final int SHOWN = 5;
  private static final long TIME_TO_TELL = 10_000;

  private final Stage stage = new Stage();
  private final Map<String, Long> longest = new TreeMap<>();
  private long calls;
  private long suspensions;

  private Course() {}

  /** A {@link Plan}, and the number of the pair to begin with. */
  public static void main(String[] args) throws ReflectiveOperationException, InterruptedException {
    Thread main = Thread.currentThread();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          // What is thrown at victims is nobody's concern, and would be printed under a lock.
          if (thread == main) {
            thrown.printStackTrace();
          }
        });
    Plan plan = Plan.of(args[0]);
    Course course = new Course();
    try {
      course.warmUp();
      course.run(plan, Integer.parseInt(args[1]));
    } catch (Duel.Hang hang) {
      endInTime();
      Child.say("hang: " + hang.getMessage());
      tellInTime(hang);
      course.tellNews();
      Child.say(OVER + "hung");
      Runtime.getRuntime().halt(BROKEN);
    } catch (Throwable ours) {
      // Others would keep this JVM, and nobody would say what has happened.
      endInTime();
      ours.printStackTrace();
      Runtime.getRuntime().halt(BROKEN);
    }
    course.tell();
    Child.say(OVER + "well");
    System.exit(0);
  }

  /** Whoever stands may have the lock of the standard output. */
  private static void endInTime() {
    daemon(
        () -> {
          long end = System.nanoTime() + 2 * TIME_TO_TELL * 1_000_000;
          while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
          }
          Runtime.getRuntime().halt(BROKEN);
        });
  }

  private static void tellInTime(Duel.Hang hang) throws InterruptedException {
    daemon(() -> Child.say(hang.whereAllAre())).join(TIME_TO_TELL);
  }

  private static Thread daemon(Runnable deed) {
    Thread thread = new Thread(deed);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void run(Plan plan, int from) throws Duel.Hang {
    List<Pair> pairs = plan.pairs();
    Gauge before = null;
    for (int i = from; i < pairs.size(); i++) {
      if (i == from + (pairs.size() - from) / 3) {
        retireVictims();
        before = read();
      }
      stage.findings().during(plan.command(pairs.get(i)));
      Child.say(AT + i + " " + pairs.get(i));
      for (int round = 0; round < plan.rounds(); round++) {
        duel(pairs.get(i), plan.seed() + round);
      }
      tellNews();
    }
    stage.findings().during("all pairs of this JVM");
    retireVictims();
    openWithAll();
    Gauge after = read();
    Child.say("before " + before);
    Child.say("after " + after);
    if (before != null) {
      after.grownSince(before, MOST).forEach(what -> stage.findings().add(what, "grown: " + what));
    }
  }

  /** Once what waits for a collection has gone. */
  private Gauge read() {
    System.gc();
    stage.own().memory().allocated();
    return Gauge.read();
  }

  private void duel(Pair pair, long seed) throws Duel.Hang {
    Duel duel = new Duel(stage, pair, seed);
    duel.run();
    longest.merge(pair.first().toString(), duel.first().longest(), Math::max);
    longest.merge(pair.second().toString(), duel.second().longest(), Math::max);
    calls += duel.first().calls() + duel.second().calls();
    suspensions += duel.disturber().suspensions();
  }

  /**
   * Each operation by itself, so that its classes are there; one that never returns is no test of
   * anything.
   */
  private void warmUp() throws ReflectiveOperationException {
    Place nowhere = new Place(stage.shared(), Set.of());
    Disturber disturber = new Disturber(stage, List.of(nowhere, nowhere), false, new Random(0));
    for (Operation operation : Operations.all()) {
      stage.findings().during("alone: " + operation);
      try (Loop loop = new Loop(stage, operation)) {
        loop.untilItReturns();
      }
      new Aftermath(stage, new Pair(operation, operation, Doors.STATIC), disturber)
          .settle(List.of());
    }
  }

  private void openWithAll() {
    try {
      Jvmti.open(stage.solo()).close();
    } catch (MissingCapabilityException held) {
      stage.findings().add("open", held, "is what somebody still holds");
    }
  }

  /** All that were suspended have been resumed, so all of them end. */
  private void retireVictims() {
    List<Thread> left = stage.pools().victims().retire();
    Eventually.isTrue("the victims end", () -> left.stream().noneMatch(Thread::isAlive));
  }

  private void tell() {
    Child.say("calls " + calls);
    Child.say("suspensions " + suspensions);
    longest.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(SHOWN)
        .forEach(e -> Child.say("longest " + e.getValue() / 1_000_000 + " ms " + e.getKey()));
    tellNews();
  }

  /** By the main thread, as a caller may stand with the lock of the standard output. */
  private void tellNews() {
    stage.findings().news().forEach(finding -> Child.say("failure: " + finding));
  }
}
