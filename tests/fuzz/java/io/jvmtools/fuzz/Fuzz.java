package io.jvmtools.fuzz;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.VerboseFlag;
import io.jvmtools.event.AllocationProfile;
import io.jvmtools.event.EventFrame;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.event.Profiles;
import io.jvmtools.snapshot.SnapshotPoint;
import io.jvmtools.support.Eventually;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls every public method with arguments that nobody should pass, from four threads, and checks
 * that each failure is one that the method documents and that nothing is left behind.
 *
 * <p>Each call has a random number generator of its own, so that a number names the method and, but
 * for what other threads do meanwhile, the arguments. What must not happen has a bounded form
 * instead: see {@link #hold}, {@link Target#reads} and {@link Draw}.
 */
final class Fuzz {

  private static final int THREADS = 4;

  /** So often each method is called before chance chooses. */
  private static final int AT_LEAST = 10;

  /** A call of a slow method for so many of others. */
  private static final int SLOW = 40;

  private static final int MOST_SHOWN = 40;

  /** What only listeners have, or who has a capability that one environment alone can hold. */
  private static final Set<Class<?>> RARE =
      Set.of(
          AllocationProfile.class, EventFrame.class, PlaceSubscription.class, SnapshotPoint.class);

  private final List<Target> targets = Targets.all();
  private final Contracts contracts = new Contracts();
  private final Pools pools = new Pools();
  private final Map<String, String> violations = new ConcurrentSkipListMap<>();
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong done = new AtomicLong();
  private final long started = System.nanoTime();
  private final long calls;
  private final long seed;

  private Fuzz(long calls, long seed) {
    this.calls = calls;
    this.seed = seed;
  }

  /** Calls, and a seed if the run is a repetition. */
  public static void main(String[] args) throws InterruptedException {
    Thread main = Thread.currentThread();
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          // What is thrown at victims is nobody's concern, and would be printed under a lock.
          if (thread == main) {
            thrown.printStackTrace();
          }
        });
    long seed = args.length > 1 ? Long.parseLong(args[1]) : new Random().nextLong();
    Fuzz fuzz = new Fuzz(Long.parseLong(args[0]), seed);
    boolean passed = fuzz.run();
    System.exit(passed ? 0 : 1);
  }

  private boolean run() throws InterruptedException {
    System.out.println("seed " + seed);
    System.out.println("methods " + targets.size());
    callUntil(calls * 2 / 5);
    settle();
    Gauge before = Gauge.read();
    callUntil(calls);
    settle();
    Gauge after = Gauge.read();
    System.out.println("before " + before);
    System.out.println("after " + after);
    System.out.println("calls " + done);
    System.out.println("returned " + targets.stream().filter(Target::hasReturned).count());
    List<String> uncalled =
        targets.stream()
            .filter(target -> !target.wasCalled() && !RARE.contains(target.owner()))
            .map(Target::toString)
            .toList();
    uncalled.forEach(target -> System.out.println("never called: " + target));
    List<String> grown = after.grownSince(before, Gauge.MOST_OF_MANY);
    grown.forEach(what -> System.out.println("leak: " + what));
    System.out.println("violations " + violations.size());
    violations.values().stream().limit(MOST_SHOWN).forEach(System.out::println);
    return uncalled.isEmpty() && grown.isEmpty() && violations.isEmpty();
  }

  private void callUntil(long end) throws InterruptedException {
    Thread[] workers = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      workers[i] = new Thread(() -> work(end), "fuzz " + i);
      workers[i].setDaemon(true);
      pools.addReader(workers[i]);
      workers[i].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
  }

  private void work(long end) {
    while (true) {
      long number = next.getAndUpdate(n -> Math.min(n + 1, end));
      if (number >= end) {
        return;
      }
      Random random = new Random(seed * 31 + number * 0x9e3779b97f4a7c15L);
      Target target = choose(number, random);
      Object receiver = null;
      while (target.needsReceiver() && receiver == null) {
        receiver = pools.product(target.owner(), random);
        if (receiver == null) {
          // No call has returned one yet.
          target = any(random);
        }
      }
      try {
        call(target, receiver, number, random);
      } catch (Throwable ours) {
        report(target, number, new Object[0], ours, "is a failure of the test itself");
      }
      Thread.interrupted();
      progress(done.incrementAndGet());
    }
  }

  private Target choose(long number, Random random) {
    if (number < (long) targets.size() * AT_LEAST) {
      return targets.get((int) (number % targets.size()));
    }
    return any(random);
  }

  private Target any(Random random) {
    Target target;
    do {
      target = targets.get(random.nextInt(targets.size()));
    } while (target.isSlow() && random.nextInt(SLOW) != 0);
    return target;
  }

  private void call(Target target, Object receiver, long number, Random random) {
    Draw draw = new Draw(random, pools, target);
    Object[] arguments = hold(target, draw.arguments());
    try {
      Object result = target.call(receiver, arguments);
      String objection = contracts.objection(target, arguments);
      if (objection != null) {
        report(target, number, arguments, new AssertionError("returned"), objection);
      }
      if (!draw.isPolluted()) {
        pools.keep(result, random);
      }
    } catch (Throwable thrown) {
      String objection = contracts.objection(target, thrown, draw);
      if (objection != null) {
        report(target, number, arguments, thrown, objection);
      }
      pools.keep(thrown, random);
    } finally {
      if (target.executable().getName().equals("enableVerbose")) {
        Arrays.stream(VerboseFlag.values()).forEach(JvmTools::disableVerbose);
      }
      if (receiver instanceof Profiles profiles) {
        sampleRarely(profiles);
      }
    }
  }

  /** Who has each object sampled makes all others slow. */
  private static void sampleRarely(Profiles profiles) {
    try {
      profiles.setHeapSamplingInterval(512 * 1024);
    } catch (JvmtiException | IllegalStateException neverHad) {
      // The capability, or not any more.
    }
  }

  /** Attaching is tried with processes that cannot be: any other would get an agent. */
  private static Object[] hold(Target target, Object[] arguments) {
    if (target.toString().equals("Agent.attach(long)") && (long) arguments[0] > 0) {
      arguments[0] = (long) arguments[0] | 1L << 40;
    }
    return arguments;
  }

  private void report(
      Target target, long number, Object[] arguments, Throwable thrown, String objection) {
    String message = thrown instanceof Hostile ? "" : String.valueOf(thrown.getMessage());
    String kind = target + " " + thrown.getClass().getName() + message.replaceAll("[^a-zA-Z ]", "");
    StringBuilder text = new StringBuilder("violation: ").append(target);
    text.append(", call ").append(number).append(": ").append(thrown.getClass().getName());
    text.append(": ").append(message, 0, Math.min(message.length(), 200)).append(' ');
    text.append(objection).append("\n  arguments ");
    text.append(Arrays.stream(arguments).map(Draw::describe).toList());
    Arrays.stream(thrown.getStackTrace()).limit(8).forEach(f -> text.append("\n    ").append(f));
    violations.putIfAbsent(kind, text.toString());
  }

  private void progress(long count) {
    if (count % Math.max(1, calls / 20) == 0) {
      long seconds = (System.nanoTime() - started) / 1_000_000_000;
      System.err.printf("fuzz: %,d of %,d calls, %d s%n", count, calls, seconds);
    }
  }

  /** Closes, resumes and ends everything that the calls have left. */
  private void settle() {
    pools.environments().closeAll();
    pools.forgetReturned();
    List<Thread> left = pools.victims().retire();
    Eventually.isTrue(
        "the victims have ended",
        () -> {
          // A forgotten environment may hold the capability that resuming needs.
          System.gc();
          Jvmti.open().close();
          left.removeIf(thread -> !thread.isAlive());
          left.forEach(Fuzz::resume);
          return left.isEmpty();
        });
  }

  private static void resume(Thread thread) {
    try {
      JvmTools.resumeThread(thread);
    } catch (ThreadNotSuspendedException | ThreadNotAliveException | MissingCapabilityException e) {
      // It is about to end, or this is tried again.
    }
  }
}
