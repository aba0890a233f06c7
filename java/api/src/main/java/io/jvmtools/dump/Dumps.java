package io.jvmtools.dump;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.StalledException;
import io.jvmtools.WrongPhaseException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.Nanos;
import io.jvmtools.internal.dump.DumpFacts;
import io.jvmtools.internal.dump.DumpNatives;
import io.jvmtools.internal.environment.CapabilityMasks;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.internal.thread.ThreadNatives;
import io.jvmtools.thread.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Thread dumps: what all threads do at one moment, and which of them wait for each other.
 *
 * <p>On the current thread the call itself is on the stack: the native, the private method that
 * calls it, the public method, and whatever the environment says stands above that. They are left
 * out.
 */
public final class Dumps {

  /** The native, {@link #read}, the public method. */
  private static final int OWN = 3;

  private static final String UNLISTED =
      "virtual threads that no executor has started, and deadlocks with them: the JDK keeps no"
          + " track of them, as jdk.trackAllThreads says";

  private static final String OF_THE_JVM =
      "the JVM's own threads, such as those that collect garbage and compile: JVM TI lists none,"
          + " but jcmd PID Thread.print does";

  private static final String IDLE_LOCKS =
      "locks of java.util.concurrent that nobody waits for: only a walk of the heap finds them, as"
          + " jcmd PID Thread.print -l does";

  static {
    Makers.register(
        Dumps.class,
        new Maker<Environment, Dumps>() {
          @Override
          public Dumps make(Environment environment) {
            return new Dumps(environment);
          }
        });
  }

  private final Environment environment;

  Dumps(Environment environment) {
    this.environment = environment;
  }

  /**
   * What all threads do: {@link #take(DumpOptions)} with the defaults, a deadline of one second
   * among them.
   *
   * @return the dump
   * @throws WrongPhaseException if the JVM has ended, as a daemon thread may see
   * @throws StalledException if it is the first and the thread of the library that makes ready what
   *     reads names and lines does not answer, as when another tool has suspended it
   * @throws IllegalStateException if the environment is closed
   */
  public ThreadDump take() {
    return read(DumpOptions.defaults());
  }

  /**
   * What all threads do: states, stacks, monitors, locks, times, and the deadlocks among them, of
   * the platform threads and of the virtual ones that the JDK keeps track of.
   *
   * <p>Reads what the environment may read, and the dump says what is missing:
   *
   * <ul>
   *   <li>{@link Capability#CAN_SUSPEND}: all threads stand still meanwhile, but for those that
   *       start just then, which are not in the dump; of several such dumps at the same time one
   *       waits for the other, and for {@link Threads#withOthersSuspended}: after five seconds it
   *       does without, and says so. Without it only the stacks belong to one moment ({@link
   *       DumpConsistency#SAFEPOINT}).
   *   <li>{@link Capability#CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO} and {@link
   *       Capability#CAN_GET_CURRENT_CONTENDED_MONITOR}: monitors, and deadlocks over them. What
   *       threads own is asked of those that are in a method which locks, or in a native one that
   *       is not the JDK's: what native code has entered and kept, other threads do not tell. The
   *       monitors that virtual threads own are not known before JDK 23, and before JDK 26 only
   *       where the threads stand still ({@link Threads#ownedMonitors(Thread)}), but with {@link
   *       Capability#CAN_GET_MONITOR_INFO} their deadlocks are found, and so are those over what
   *       the JVM has locked itself and over what was entered too deep to be listed. From JDK 23 on
   *       the objects of {@link Object#wait()} are told through the receivers of frames, which
   *       takes {@code CAN_ACCESS_LOCAL_VARIABLES}. Without the one or the other ThreadMXBean tells
   *       them: for platform threads that wait before and after the dump, and of 10,000 threads for
   *       the first thousand that wait, because asking takes the longer the more threads there are.
   *   <li>{@link Capability#CAN_GET_THREAD_CPU_TIME}: processor times.
   *   <li>{@link Capability#CAN_ACCESS_LOCAL_VARIABLES}: local variables, together with {@code
   *       CAN_SUSPEND}.
   * </ul>
   *
   * <p>On the calling thread the frames of this library are left out.
   *
   * @param options what to ask for, and how far
   * @return the dump
   * @throws WrongPhaseException if the JVM has ended, as a daemon thread may see
   * @throws StalledException if it is the first and the thread of the library that makes ready what
   *     reads names and lines does not answer, as when another tool has suspended it
   * @throws IllegalStateException if the environment is closed
   */
  public ThreadDump take(DumpOptions options) {
    return read(requireNonNull(options, "options"));
  }

  /**
   * What all threads do: {@link #take(DumpOptions)} with the defaults and this deadline.
   *
   * @param deadline for how long threads may stand still; if that is not enough they are resumed,
   *     and the dump is taken again while they go on, as {@link DumpOptions#deadline} says
   * @return the dump
   * @throws IllegalArgumentException if the deadline is not positive
   * @throws WrongPhaseException if the JVM has ended, as a daemon thread may see
   * @throws StalledException if it is the first and the thread of the library that makes ready what
   *     reads names and lines does not answer, as when another tool has suspended it
   * @throws IllegalStateException if the environment is closed
   */
  public ThreadDump take(Duration deadline) {
    return read(DumpOptions.defaults().deadline(deadline));
  }

  private ThreadDump read(DumpOptions options) {
    long env = environment.handle();
    int own = OWN + environment.framesAbove();
    DumpParts parts =
        DumpParts.of(
            options, CapabilityMasks.read(env), NativeLibrary::startOption, environment.notLent());
    List<Thread> chosen = options.threads();
    Thread[] passed =
        chosen == null ? DumpNatives.virtualThreads(env) : chosen.toArray(new Thread[0]);
    long nanos = nanos(options.deadline());
    Supplier<List<Thread>> threads = () -> List.of(ThreadNatives.getAllThreads(env));
    int listed = ListedFrames.count();
    int depth = depth(options, own);
    ThreadDump dump = null;
    do {
      DumpHeader header = DumpHeader.now();
      try {
        AwaitedObjects awaited = AwaitedObjects.before(environment, options, parts, threads);
        DumpFacts facts =
            (DumpFacts) DumpNatives.collect(env, passed, nanos, listed, depth, parts.bits());
        if (facts.expired()) {
          parts =
              parts.withoutSuspension(
                  "the threads could not be read within "
                      + options.deadline()
                      + " of their suspension");
          continue;
        }
        DeadlockSearch search = DeadlockSearch.of(options, parts, threads);
        DumpReader reader = new DumpReader(facts, own, options.depth(), search, awaited.after());
        List<String> unknown = new ArrayList<>(search.unknown(parts));
        if (chosen == null
            && Runtime.version().feature() >= 21
            && !DeadlockSearch.listsVirtualThreads()) {
          unknown.add(UNLISTED);
        }
        if (chosen == null) {
          unknown.add(OF_THE_JVM);
        }
        unknown.add(IDLE_LOCKS);
        dump = reader.read(header, unknown);
        if (dump.hasDeadlocks() && mayGoOn(parts, search, dump)) {
          // A deadlock stays, a coincidence does not.
          ThreadDump first = dump;
          dump = null;
          facts = (DumpFacts) DumpNatives.collect(env, passed, nanos, listed, depth, parts.bits());
          DumpReader again = new DumpReader(facts, own, options.depth(), search, Map.of());
          dump =
              facts.expired()
                  ? first.unconfirmed()
                  : first.confirmedBy(again.read(header, unknown));
        }
      } catch (StalledException | WrongPhaseException noneIsSuspended) {
        // Nobody does it, or the JVM is about to end.
        parts = lessThan(parts, Capability.CAN_SUSPEND, noneIsSuspended);
      } catch (MissingCapabilityException givenUp) {
        // By another thread, a moment ago.
        parts = lessThan(parts, givenUp.capability(), givenUp);
      }
    } while (dump == null);
    return environment.keep(dump);
  }

  /**
   * Whether what looks like a deadlock may be none: the threads went on meanwhile, or before the
   * bean was asked, or before it was seen whether a class is initialised.
   */
  private static boolean mayGoOn(DumpParts parts, DeadlockSearch search, ThreadDump dump) {
    return !parts.suspends() || search.asksTheBean() || dump.hasDeadlocksOverClasses();
  }

  /** What to ask for after a refusal: less each time, so that there is an end. */
  private static DumpParts lessThan(DumpParts parts, Capability missing, RuntimeException refusal) {
    DumpParts less = parts.without(missing, String.valueOf(refusal.getMessage()));
    if (less.bits() == parts.bits()) {
      throw refusal;
    }
    return less;
  }

  /** One more than wanted, which shows that there are more, and those of ours. */
  private static int depth(DumpOptions options, int own) {
    return (int) Math.min(Integer.MAX_VALUE, options.depth() + 1L + own);
  }

  private static long nanos(Duration deadline) {
    return Nanos.of(deadline);
  }
}
