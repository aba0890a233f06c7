package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.dump.DumpNatives;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.OneJdkADay;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An exception may come at any moment of a suspension, and nothing of it stays behind. */
@OneJdkADay
class InterruptedSuspensionTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  @ParameterizedTest
  @EnumSource
  void aStoppedThreadLeavesNothingSuspendedAndNothingRemembered(WayIn way) {
    // Interpreted, a thread is stopped between any two instructions.
    way.of(StopWithSuspended.class).jvmArgs("-Xint").run().succeeds();
  }

  static final class StopWithSuspended extends Stop {

    private final Jvmti jvmti = Jvmti.open(CAN_SUSPEND);

    public static void main(String[] args) {
      GcUntil.cleared(new StopWithSuspended().run());
    }

    @Override
    void suspend() {
      jvmti.threads().withSuspended(worker.thread(), LONG, () -> null);
    }

    @Override
    void check(String when) {
      awaitThatTheWorkerRuns(when);
    }
  }

  @ParameterizedTest
  @EnumSource
  void norDoesOneThatIsStoppedInsideTheStaticDoor(WayIn way) {
    way.of(StopStatic.class).jvmArgs("-Xint").run().succeeds();
  }

  static final class StopStatic extends Stop {

    public static void main(String[] args) {
      GcUntil.cleared(new StopStatic().run());
    }

    @Override
    void suspend() {
      JvmTools.suspendThread(worker.thread());
      JvmTools.resumeThread(worker.thread());
    }

    @Override
    void check(String when) {
      Eventually.isTrue(when + ": it is nobody's", this::isNobodys);
    }

    private boolean isNobodys() {
      try {
        if (isSuspended()) {
          JvmTools.resumeThread(worker.thread());
        }
        Jvmti.open(CAN_SUSPEND).close();
        return true;
      } catch (MissingCapabilityException | ThreadNotSuspendedException undoneJustNow) {
        return false;
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsThrownIntoACallThatMakesAnAnswerReachesItsCaller(WayIn way) {
    way.of(StopAnswers.class).run().succeeds();
  }

  /** Strings, arrays and references are made in these. */
  static final class StopAnswers extends Stop {

    private final Jvmti jvmti = Jvmti.open(CAN_SUSPEND);

    public static void main(String[] args) {
      new StopAnswers().run();
    }

    @Override
    void suspend() {
      jvmti.threads().all();
      jvmti.threads().resume(List.of(worker.thread()));
      jvmti.threads().info(worker.thread());
      Jvmti.open().close();
    }

    @Override
    void check(String when) {
      assertThat(jvmti.isOpen()).as(when).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void norDoesOneThatIsStoppedWhileItReadsADump(WayIn way) {
    way.of(StopDump.class).run().succeeds();
  }

  static final class StopDump extends Stop {

    private final long environment;

    private StopDump() {
      // Loads the library.
      JvmTools.getPhase();
      environment = GeneralNatives.open(this);
      CapabilitiesNatives.addCapabilities(environment, 1L << CAN_SUSPEND.ordinal());
    }

    public static void main(String[] args) {
      new StopDump().run();
    }

    @Override
    void suspend() {
      DumpNatives.collect(
          environment,
          new Thread[0],
          LONG.toNanos(),
          Integer.MAX_VALUE,
          Integer.MAX_VALUE,
          Bridge.DUMP_SUSPEND);
    }

    @Override
    void check(String when) {
      awaitThatTheWorkerRuns(when);
    }
  }

  abstract static class Stop {

    private static final int ROUNDS = 1_000;
    private static final long MOST_NANOS = 300_000;

    final Counting worker = Counting.platform();
    private volatile int begun;
    private volatile int caught;
    private volatile int checked;

    abstract void suspend();

    abstract void check(String when);

    boolean isSuspended() {
      return JvmTools.getThreadState(worker.thread()).isSuspended();
    }

    /** Who has been stopped waits for nothing: what was under way is undone a moment later. */
    void awaitThatTheWorkerRuns(String when) {
      Eventually.isTrue(when, () -> !isSuspended());
    }

    /** Answers the thread that was suspended, which only an entry that is left can keep. */
    WeakReference<Thread> run() {
      // Now all classes are there; a stopped initialiser is not what is asked here.
      suspend();
      Thread suspends = new Thread(this::suspendOften, "suspends");
      suspends.setDaemon(true);
      suspends.start();
      for (int round = 0; round < ROUNDS; round++) {
        int next = round + 1;
        Eventually.isTrue("it has begun", () -> begun == next);
        waitForUpTo(MOST_NANOS);
        JvmTools.stopThread(suspends, new Stopped());
        Eventually.isTrue("it has been stopped", () -> caught == next);
        check("round " + round);
        checked = next;
      }
      worker.close();
      return new WeakReference<>(worker.thread());
    }

    private void suspendOften() {
      for (int round = 1; round <= ROUNDS; round++) {
        try {
          begun = round;
          while (true) {
            suspend();
          }
        } catch (Stopped stopped) {
          caught = round;
        }
        while (checked != round) {
          Thread.onSpinWait();
        }
      }
    }

    private static void waitForUpTo(long most) {
      long nanos = ThreadLocalRandom.current().nextLong(most);
      long start = System.nanoTime();
      while (System.nanoTime() - start < nanos) {
        Thread.onSpinWait();
      }
    }

    private static final class Stopped extends RuntimeException {
      private static final long serialVersionUID = 1;
    }
  }

  @ParameterizedTest
  @EnumSource
  void norDoesAThreadWhoseStackIsFull(WayIn way) {
    way.of(FullStack.class).run().succeeds();
  }

  static final class FullStack {

    private static final int ROUNDS = 150;
    private static final long STACK = 512 * 1024;

    private final Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
    private final Counting worker = Counting.platform();
    private int overflows;

    public static void main(String[] args) throws InterruptedException {
      GcUntil.cleared(new FullStack().run());
    }

    /** Answers the thread that was suspended, which only an entry that is left can keep. */
    private WeakReference<Thread> run() throws InterruptedException {
      suspend();
      Thread deep = new Thread(null, this::overflowOften, "deep", STACK);
      deep.start();
      deep.join();
      // Otherwise it would never end.
      assertThat(jvmti.threads().state(worker.thread()).isSuspended()).isFalse();
      assertThat(overflows).as("suspensions that did not fit").isGreaterThan(ROUNDS);
      worker.close();
      return new WeakReference<>(worker.thread());
    }

    private void overflowOften() {
      for (int round = 0; round < ROUNDS; round++) {
        begin(round % 16, 0, 0, 0);
        assertThat(jvmti.threads().state(worker.thread()).isSuspended())
            .as("suspended after round " + round)
            .isFalse();
      }
    }

    /** The frames above are larger than those below, so that each round ends somewhere else. */
    private boolean begin(int left, long one, long two, long three) {
      return left == 0 ? dive() : begin(left - 1, two, three, one);
    }

    /** Suspends from the bottom upwards until there is room; each frame leaves a little more. */
    private boolean dive() {
      try {
        if (dive()) {
          return true;
        }
      } catch (StackOverflowError bottom) {
        return false;
      }
      try {
        suspend();
        return true;
      } catch (StackOverflowError tooDeep) {
        overflows++;
        return false;
      }
    }

    private void suspend() {
      jvmti.threads().withSuspended(worker.thread(), LONG, () -> null);
    }
  }
}
