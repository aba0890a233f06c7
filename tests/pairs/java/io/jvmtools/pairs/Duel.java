package io.jvmtools.pairs;

import io.jvmtools.Capability;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A pair at work: two callers, the disturber, and whoever looks for how long they stay. */
final class Duel {

  /** A call stays for longer than it may, or the disturber cannot go on. */
  static final class Hang extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Duel duel;

    Hang(Duel duel, String text) {
      super(text);
      this.duel = duel;
    }

    /** Where all are: to ask for that may take for ever, too, where something does. */
    String whereAllAre() {
      return duel.whereAllAre();
    }
  }

  private static final long SHORTEST = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);
  private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(50);
  private static final int CALLS = 3;
  private static final int ROUNDS = 3;

  /** So many rounds of the disturber for one in which the victims are resumed too. */
  private static final int VICTIMS = 8;

  private final Stage stage;
  private final Pair pair;
  private final Random random;
  private final List<Place> places = new ArrayList<>();
  private final Caller first;
  private final Caller second;
  private final Disturber disturber;
  private final Thread disturbing;
  private final CountDownLatch callersLeft = new CountDownLatch(2);
  private final CountDownLatch allLeft = new CountDownLatch(1);
  private volatile Throwable broken;
  private volatile boolean isOver;
  private final long start = System.nanoTime();

  Duel(Stage stage, Pair pair, long seed) {
    this.stage = stage;
    this.pair = pair;
    random = new Random(seed * 31 + pair.toString().hashCode());
    List<Set<Capability>> solo = List.of(new TreeSet<>(), new TreeSet<>());
    for (Capability capability : stage.solo()) {
      int holder = holder(capability);
      if (holder < solo.size()) {
        solo.get(pair.doors() == Doors.ONE ? 0 : holder).add(capability);
      }
    }
    solo.forEach(capabilities -> places.add(new Place(stage.shared(), capabilities)));
    first = caller(0, "first caller", pair.first());
    second = caller(pair.doors() == Doors.ONE ? 0 : 1, "second caller", pair.second());
    disturber = new Disturber(stage, places, pair.holdsOneMonitor(), new Random(random.nextLong()));
    disturbing = new Thread(this::disturb, "disturber");
    disturbing.setDaemon(true);
  }

  /** Whose environment tries to hold it: that of the one who wants it; nobody's perhaps. */
  private int holder(Capability capability) {
    boolean first = pair.first().wants(capability);
    boolean second = pair.second().wants(capability);
    if (first != second) {
      return first ? 0 : 1;
    }
    return random.nextInt(first ? 2 : 3);
  }

  private Caller caller(int place, String name, Operation operation) {
    long seed = random.nextLong();
    Caller made =
        new Caller(name, operation, places.get(place), stage, caller -> call(caller, seed));
    if (pair.changesOneClass() || pair.resumesWhoIsWritten()) {
      made.mayStall();
    }
    return made;
  }

  Caller first() {
    return first;
  }

  Caller second() {
    return second;
  }

  Disturber disturber() {
    return disturber;
  }

  /** Until all have had their share, and everything is as it was before. */
  void run() throws Hang {
    disturbing.start();
    first.thread().start();
    second.thread().start();
    try {
      while (!allLeft.await(LOOK, TimeUnit.NANOSECONDS)) {
        look();
      }
      for (Thread thread : List.of(first.thread(), second.thread(), disturbing)) {
        while (thread.isAlive()) {
          thread.join(TimeUnit.NANOSECONDS.toMillis(LOOK));
          look();
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean goesOn() {
    return !isOver && isTooEarly();
  }

  private boolean isTooEarly() {
    return System.nanoTime() - start < SHORTEST
        || first.calls() < CALLS
        || second.calls() < CALLS
        || disturber.rounds() < ROUNDS;
  }

  private void call(Caller caller, long seed) {
    try {
      Valid draw = caller.draw(new Random(seed), first.thread(), second.thread());
      while (goesOn()) {
        caller.call(draw);
      }
    } catch (Throwable ours) {
      // The other one does not wait for his calls.
      isOver = true;
      stage.findings().add(caller.toString(), ours, "is a failure of the test itself");
    } finally {
      callersLeft.countDown();
    }
  }

  private void disturb() {
    Aftermath aftermath = new Aftermath(stage, pair, disturber);
    try {
      while (callersLeft.getCount() > 0) {
        disturber.disturb(first, second);
        if (disturber.rounds() % VICTIMS == 0) {
          aftermath.resumeVictims();
        }
      }
      // The last call of one may have suspended the other, on its way out.
      disturber.letGo(first);
      disturber.letGo(second);
      aftermath.settle(places);
      allLeft.countDown();
    } catch (Throwable ours) {
      broken = ours;
      // They may have a lock that main needs to tell of it.
      disturber.letGo(first);
      disturber.letGo(second);
    }
  }

  private void look() throws Hang {
    if (broken != null
        || first.stay().isTooLong()
        || second.stay().isTooLong()
        || disturber.stay().isTooLong()
        || System.nanoTime() - start > LONGEST) {
      String what = broken == null ? "" : "\n  " + broken + Findings.stack(broken.getStackTrace());
      throw new Hang(
          this,
          stage.findings().where() + "\n  " + first + "\n  " + second + "\n  " + disturber + what);
    }
  }

  private String whereAllAre() {
    return described(first.thread()) + described(second.thread()) + described(disturbing);
  }

  private static String described(Thread thread) {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    ThreadInfo info = bean.getThreadInfo(new long[] {thread.getId()})[0];
    return "\n  "
        + thread.getName()
        + (info == null ? "" : ", " + state(info))
        + Findings.stack(thread.getStackTrace())
        + (info == null ? "" : owner(info, bean));
  }

  private static String state(ThreadInfo info) {
    String lock = info.getLockName();
    return info.getThreadState()
        + (info.isSuspended() ? ", suspended" : "")
        + (lock == null ? "" : " on " + lock + " of " + info.getLockOwnerName());
  }

  /** Whoever has the lock that a thread waits for. */
  private static String owner(ThreadInfo info, ThreadMXBean bean) {
    long id = info.getLockOwnerId();
    ThreadInfo owner = id < 0 ? null : bean.getThreadInfo(id, Integer.MAX_VALUE);
    return owner == null
        ? ""
        : "\n  its owner, " + state(owner) + Findings.stack(owner.getStackTrace());
  }
}
