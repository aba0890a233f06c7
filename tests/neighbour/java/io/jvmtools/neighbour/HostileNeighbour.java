package io.jvmtools.neighbour;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.StalledException;
import io.jvmtools.SuspensionExpiredException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.WrongPhaseException;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.stack.ThreadStack;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Does everything that the library can do to other threads, again and again, until the JVM ends.
 * What it is answered must be right, too.
 */
final class HostileNeighbour {

  /** How the threads are called that cannot be suspended: those that suspend and resume others. */
  private static final String OF_THE_LIBRARY = "jvmtools-";

  private static final String NOTHING = "between two rounds";
  private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Duration DEADLINE = Duration.ofSeconds(1);
  private static final Duration TOO_LONG = Duration.ofSeconds(10);
  private static final int MOST_VICTIMS = 8;
  private static final int ROUNDS_BETWEEN_EVERYBODY = 10;
  private static final int THINGS = 1_000;
  private static final int TAGS = 10;
  private static final int ENVIRONMENTS = 3;
  private static final int CHANGES = 10;

  /** Whatever any number of environments can hold. */
  private static final Set<Capability> SHARED =
      EnumSet.of(
          Capability.CAN_TAG_OBJECTS,
          Capability.CAN_GET_MONITOR_INFO,
          Capability.CAN_GET_BYTECODES,
          Capability.CAN_SIGNAL_THREAD,
          Capability.CAN_GET_SOURCE_FILE_NAME,
          Capability.CAN_GET_LINE_NUMBERS,
          Capability.CAN_GET_THREAD_CPU_TIME);

  /** What it does. */
  enum Deed {
    DUMP(HostileNeighbour::dump),
    STACKS(HostileNeighbour::stacks),
    SUSPEND(HostileNeighbour::suspendSome),
    EVERYBODY(HostileNeighbour::suspendEverybody),
    DOOR(HostileNeighbour::suspendThroughTheDoor),
    TAGS(HostileNeighbour::tag),
    ENVIRONMENTS(HostileNeighbour::openAndForget),
    CAPABILITIES(HostileNeighbour::changeCapabilities);

    private final Action action;

    Deed(Action action) {
      this.action = action;
    }

    private interface Action {
      void run(HostileNeighbour neighbour) throws Exception;
    }
  }

  private final Random random = new Random();
  private final Set<Deed> deeds;
  private final Supplier<List<Thread>> virtualThreads;
  private final Results results;
  private final Thread thread = new Thread(this::run, "hostile neighbour");
  private final Alarm alarm = new Alarm(TOO_LONG);
  private final ReentrantLock round = new ReentrantLock(true);
  private volatile String latest = NOTHING;
  private volatile long since = System.nanoTime();
  private volatile long rounds;
  private volatile long expired;

  /** One that does these deeds, the virtual threads among its victims coming from elsewhere. */
  HostileNeighbour(Set<Deed> deeds, Supplier<List<Thread>> virtualThreads, Results results) {
    this.deeds = deeds;
    this.virtualThreads = virtualThreads;
    this.results = results;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** How often it has done everything. */
  long rounds() {
    return rounds;
  }

  /** How many suspensions the watchdog has ended, or the library has given up. */
  long expired() {
    return expired;
  }

  /** The answer between two of its rounds; if one goes on for too long, the answer in that one. */
  <T> T betweenRounds(Supplier<T> question) throws InterruptedException {
    boolean between = round.tryLock(TOO_LONG.toSeconds(), TimeUnit.SECONDS);
    try {
      return question.get();
    } finally {
      if (between) {
        round.unlock();
      }
    }
  }

  /** What it does just now. */
  String doing() {
    return latest;
  }

  /** How long a deed took at most, also one that it is still busy with. */
  long longestDeedNanos() {
    long soFar = isBusy() ? System.nanoTime() - since : 0;
    return Math.max(soFar, results.waits().longestNanos());
  }

  /** Tells the log what all threads do if it has been busy with one deed for too long. */
  void lookAfter() {
    if (isBusy()) {
      alarm.check(since, "the neighbour is " + latest);
    }
  }

  private boolean isBusy() {
    return !latest.equals(NOTHING);
  }

  private void run() {
    begin("rehearsing");
    rehearse();
    try {
      while (true) {
        long next = System.nanoTime() + ROUND_NANOS;
        round.lock();
        try {
          performAll();
        } finally {
          round.unlock();
        }
        LockSupport.parkNanos(next - System.nanoTime());
      }
    } catch (WrongPhaseException theJvmEnds) {
      // There is nobody left to disturb.
    }
  }

  private void performAll() {
    for (Deed deed : deeds) {
      if (deed != Deed.EVERYBODY || rounds % ROUNDS_BETWEEN_EVERYBODY == 0) {
        perform(deed);
      }
    }
    begin(NOTHING);
    rounds = rounds + 1;
  }

  private void perform(Deed deed) {
    long begun = begin("in " + deed);
    try {
      deed.action.run(this);
      results.right(System.nanoTime() - begun);
    } catch (WrongPhaseException theJvmEnds) {
      throw theJvmEnds;
    } catch (SuspensionExpiredException late) {
      expired = expired + 1;
    } catch (Exception | Error e) {
      results.wrong(deed.name(), e);
    }
  }

  private long begin(String what) {
    long now = System.nanoTime();
    since = now;
    latest = what;
    return now;
  }

  /**
   * Resumes somebody harmless first: what is loaded and initialised the first time could need a
   * lock of one who is suspended.
   */
  private void rehearse() {
    Thread harmless = new Thread(LockSupport::park, "harmless");
    harmless.setDaemon(true);
    harmless.start();
    suspendThroughTheDoor(harmless);
    LockSupport.unpark(harmless);
  }

  private void dump() {
    ThreadDump dump = random.nextBoolean() ? JvmTools.threadDump() : dumpOfItsOwn();
    results.check(
        dump.thread(Thread.currentThread()).isPresent(), "a dump without the one who takes it");
    results.check(
        !dump.deadlocksKnown() || dump.deadlocks().isEmpty(),
        "a dump with deadlocks: " + dump.unknown());
    results.check(dump.toString().length() > dump.threads().size(), "a dump that says nothing");
  }

  private ThreadDump dumpOfItsOwn() {
    try (Jvmti jvmti =
        Jvmti.open(
            Capability.CAN_SUSPEND,
            Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO,
            Capability.CAN_GET_CURRENT_CONTENDED_MONITOR)) {
      return jvmti.dumps().take(DEADLINE);
    }
  }

  private void stacks() {
    results.check(
        !JvmTools.getAllStackTraces().get(Thread.currentThread()).isEmpty(),
        "all stacks, and its own is empty");
    List<Thread> some = victims();
    List<ThreadStack> stacks = JvmTools.getThreadListStackTraces(some);
    results.check(stacks.size() == some.size(), "stacks of " + stacks.size() + " of " + some);
  }

  private void suspendSome() {
    List<Thread> some = victims();
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_SUSPEND)) {
      List<ThreadStack> stacks =
          jvmti
              .threads()
              .withSuspended(
                  some,
                  DEADLINE,
                  () -> {
                    moment();
                    return jvmti.frames().stackTraces(some);
                  });
      for (ThreadStack stack : stacks) {
        results.check(
            !stack.state().isAlive() || stack.state().isSuspended(),
            stack.thread() + " was not suspended");
      }
    }
  }

  private void suspendEverybody() {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_SUSPEND)) {
      if (ManyThreads.VIRTUAL) {
        jvmti.add(Capability.CAN_SUPPORT_VIRTUAL_THREADS);
      }
      int count =
          jvmti
              .threads()
              .withOthersSuspended(DEADLINE, () -> jvmti.frames().allStackTraces(1).size());
      results.check(count > 1, "no others to suspend");
    } catch (StalledException tooMany) {
      // On a machine that is busy with other things it may take too long, and is given up early.
      expired = expired + 1;
    }
  }

  private void suspendThroughTheDoor() {
    victims().forEach(this::suspendThroughTheDoor);
  }

  private void suspendThroughTheDoor(Thread victim) {
    try {
      JvmTools.suspendThread(victim);
    } catch (ThreadNotAliveException ended) {
      return;
    }
    boolean suspended;
    try {
      moment();
      suspended = JvmTools.getThreadState(victim).isSuspended();
    } finally {
      JvmTools.resumeThread(victim);
    }
    results.check(suspended, victim + " was not suspended");
  }

  private void tag() {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_TAG_OBJECTS)) {
      List<Object> things = new ArrayList<>();
      for (int i = 0; i < THINGS; i++) {
        Object thing = new Object();
        things.add(thing);
        jvmti.objects().setTag(thing, 1 + i % TAGS);
        JvmTools.setTag(thing, 1 + i);
      }
      things.subList(0, THINGS / 2).forEach(jvmti.objects()::clearTag);
      int found = jvmti.objects().withTag(1 + random.nextInt(TAGS), Object.class).size();
      results.check(found == THINGS / 2 / TAGS, found + " objects with a tag");
      int last = things.size() - 1;
      results.check(JvmTools.getTag(things.get(last)) == THINGS, "the wrong tag");
    }
  }

  private void openAndForget() {
    for (int i = 0; i < ENVIRONMENTS; i++) {
      try (Jvmti jvmti = Jvmti.open(someOf(SHARED))) {
        results.check(jvmti.isOpen(), "an environment that is not open");
      }
    }
    Jvmti forgotten = Jvmti.open(SHARED);
    forgotten.objects().setTag(new Object(), 1);
  }

  private void changeCapabilities() {
    try (Jvmti jvmti = Jvmti.open()) {
      for (int i = 0; i < CHANGES; i++) {
        Set<Capability> some = someOf(jvmti.capabilities().obtainable());
        jvmti.add(some.toArray(Capability[]::new));
        Set<Capability> held = jvmti.capabilities().held();
        results.check(held.equals(some), "holds " + held + " after adding " + some);
        jvmti.relinquish(some.toArray(Capability[]::new));
      }
    }
  }

  private Set<Capability> someOf(Set<Capability> capabilities) {
    Set<Capability> some = EnumSet.noneOf(Capability.class);
    for (Capability capability : capabilities) {
      if (random.nextBoolean()) {
        some.add(capability);
      }
    }
    return some;
  }

  /** A few other threads, platform threads or virtual ones, each of them once. */
  private List<Thread> victims() {
    List<Thread> all = new ArrayList<>(virtualThreads.get());
    if (all.isEmpty() || random.nextBoolean()) {
      all = new ArrayList<>(JvmTools.getAllThreads());
      all.remove(Thread.currentThread());
      all.removeIf(thread -> thread.getName().startsWith(OF_THE_LIBRARY));
    }
    Collections.shuffle(all, random);
    int most = Math.min(all.size(), 1 + random.nextInt(MOST_VICTIMS));
    return all.stream().distinct().limit(most).toList();
  }

  private void moment() {
    LockSupport.parkNanos(random.nextInt(5_000_000));
  }
}
