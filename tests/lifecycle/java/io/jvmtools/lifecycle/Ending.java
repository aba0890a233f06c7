package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpConsistency;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How a JVM ends, what a daemon thread does to it meanwhile, and what else is in it. */
record Ending(Kind kind, Storm storm, Neighbour neighbour, WayIn way) {

  /** What ends it. */
  enum Kind {
    RETURN_FROM_MAIN(0),
    /** An exception that main does not catch. */
    UNCAUGHT(1),
    EXIT(3),
    HALT(4),
    /** {@link System#exit} by a thread that has suspended the others. */
    EXIT_IN_ACTION(5);

    private final int exitCode;

    Kind(int exitCode) {
      this.exitCode = exitCode;
    }

    int exitCode() {
      return exitCode;
    }
  }

  /** What the daemon does, over and over. */
  enum Storm {
    DUMPS,
    DUMPS_BY_STATIC_DOOR,
    OTHERS_SUSPENDED,
    MAIN_SUSPENDED,
    MAIN_SUSPENDED_BY_STATIC_DOOR;

    boolean isOfStaticDoor() {
      return name().endsWith("BY_STATIC_DOOR");
    }
  }

  /** Another agent. */
  enum Neighbour {
    NOBODY,
    JAVA_AGENT,
    /** Holds {@code can_suspend} from start to end. */
    DEBUGGER
  }

  /** All that make sense beside this neighbour, with the library from the jar and as an agent. */
  static List<Ending> beside(Neighbour neighbour) {
    return Stream.of(WayIn.values())
        .flatMap(
            way ->
                Stream.of(Kind.values())
                    .flatMap(
                        kind ->
                            Stream.of(Storm.values())
                                .map(storm -> new Ending(kind, storm, neighbour, way))))
        .filter(Ending::makesSense)
        .toList();
  }

  private boolean makesSense() {
    boolean dumps = storm == Storm.DUMPS || storm == Storm.DUMPS_BY_STATIC_DOOR;
    boolean ownEnvironment = kind == Kind.EXIT_IN_ACTION;
    return neighbour == Neighbour.DEBUGGER
        ? dumps && !ownEnvironment
        : !(storm.isOfStaticDoor() && ownEnvironment);
  }

  /** A JVM that ends so. */
  ChildJvm child() {
    return way.of(Main.class).args(kind.name(), storm.name(), neighbour.name());
  }

  static final class Main {

    private static final int BYSTANDERS = 20;
    private static final int MOST_ROUNDS = 10;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Thread main = Thread.currentThread();

    /** Those in which main stood still, but beside a debugger, who has what that takes. */
    private final AtomicInteger rounds = new AtomicInteger();

    private final boolean standsStill;
    private final Storm storm;
    private final @Nullable Jvmti jvmti;

    private Main(Storm storm, Neighbour neighbour) {
      this.storm = storm;
      standsStill = neighbour != Neighbour.DEBUGGER;
      // While main stands still without a bound, nothing is looked up for the first time.
      JvmTools.getThreadState(main);
      if (storm.isOfStaticDoor()) {
        jvmti = null;
      } else if (neighbour == Neighbour.DEBUGGER) {
        jvmti = Jvmti.open();
      } else {
        jvmti = Jvmti.open(CAN_SUSPEND);
      }
    }

    public static void main(String[] args) {
      new Main(Storm.valueOf(args[1]), Neighbour.valueOf(args[2])).end(Kind.valueOf(args[0]));
    }

    private void end(Kind kind) {
      for (int i = 0; i < BYSTANDERS; i++) {
        Parked.inWait();
      }
      Thread daemon = new Thread(this::rage, "storm");
      daemon.setDaemon(true);
      daemon.start();
      int enough = 1 + ThreadLocalRandom.current().nextInt(MOST_ROUNDS);
      Eventually.isTrue("it storms", () -> rounds.get() >= enough);
      pause();
      wayToEnd(kind).run();
    }

    private Runnable wayToEnd(Kind kind) {
      return switch (kind) {
        case EXIT -> () -> System.exit(kind.exitCode());
        case HALT -> () -> Runtime.getRuntime().halt(kind.exitCode());
        case EXIT_IN_ACTION ->
            () ->
                jvmti
                    .threads()
                    .withOthersSuspended(
                        SECOND,
                        () -> {
                          System.exit(kind.exitCode());
                          return null;
                        });
        case RETURN_FROM_MAIN -> () -> {};
        case UNCAUGHT ->
            () -> {
              throw new IllegalStateException("nobody catches this");
            };
      };
    }

    private void rage() {
      BooleanSupplier round = round();
      while (true) {
        try {
          if (round.getAsBoolean() == standsStill) {
            rounds.incrementAndGet();
          }
        } catch (RuntimeException theEnd) {
          // Of the thread, or of the JVM: which one is not what is asked here.
        }
      }
    }

    /** Whether main stood still in it. */
    private BooleanSupplier round() {
      return switch (storm) {
        case DUMPS -> () -> isOfStandstill(jvmti.dumps().take());
        case DUMPS_BY_STATIC_DOOR -> () -> isOfStandstill(JvmTools.threadDump());
        case OTHERS_SUSPENDED -> () -> jvmti.threads().withOthersSuspended(SECOND, this::aMoment);
        case MAIN_SUSPENDED -> () -> jvmti.threads().withSuspended(main, SECOND, this::aMoment);
        case MAIN_SUSPENDED_BY_STATIC_DOOR ->
            () -> {
              JvmTools.suspendThread(main);
              boolean stoodStill = aMoment();
              JvmTools.resumeThread(main);
              return stoodStill;
            };
      };
    }

    private static boolean isOfStandstill(ThreadDump dump) {
      return dump.consistency() == DumpConsistency.SUSPENDED;
    }

    /** Up to five milliseconds, so that the end may come at any point of a round; as above. */
    private boolean aMoment() {
      pause();
      return JvmTools.getThreadState(main).isSuspended();
    }

    private static void pause() {
      long nanos = ThreadLocalRandom.current().nextLong(Duration.ofMillis(5).toNanos());
      long start = System.nanoTime();
      while (System.nanoTime() - start < nanos) {
        Thread.onSpinWait();
      }
    }
  }
}
