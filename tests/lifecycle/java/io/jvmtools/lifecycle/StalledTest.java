package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.StalledException;
import io.jvmtools.ThreadSuspendedException;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.thread.SuspensionNatives;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Installation;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.support.Shortest;
import io.jvmtools.thread.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a call says when the one it needs does not answer, and that nothing is left of it. */
@OneJdkADay
class StalledTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  /** One waits for five seconds, and twice would be ten. */
  private static final Duration ONCE_AND_A_MOMENT = Duration.ofMillis(7_500);

  @ParameterizedTest
  @EnumSource
  void aStandstillThatAnotherThreadHasForTooLong(WayIn way) {
    way.of(Standstill.class).run().succeeds();
  }

  static final class Standstill {
    public static void main(String[] args) throws Exception {
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Runnable tries =
            () -> {
              try {
                jvmti.threads().withOthersSuspended(LONG, () -> null);
              } catch (StalledException stalled) {
                thrown.set(stalled);
              }
            };
        jvmti
            .threads()
            .withOthersSuspended(
                LONG,
                () -> {
                  assertThat(Shortest.of(3, ONCE_AND_A_MOMENT, () -> late(tries)))
                      .isLessThan(ONCE_AND_A_MOMENT);
                  return null;
                });
        assertThat(thrown.get()).hasMessageContaining("keeps all threads suspended");
        thrown.set(null);
        tries.run();
        assertThat(thrown.get()).isNull();
      }
    }
  }

  /** How long that takes in a thread of its own; of those that run it is the only one. */
  private static Duration late(Runnable tries) {
    long start = System.nanoTime();
    Thread late = new Thread(tries);
    late.start();
    join(late);
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStewardThatAnotherToolHasSuspended(WayIn way) {
    assumeTrue(Installation.feature() < 20, "from 20 on Thread.suspend() does nothing");
    for (String first : List.of("one", "list", "action")) {
      way.of(Steward.class).args(first).run().succeeds();
    }
  }

  static final class Steward {
    public static void main(String[] args) throws Exception {
      try (Counting worker = Counting.platform();
          Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        Thread[] ours = SuspensionNatives.ownThreads(GeneralNatives.metadata());
        Thread steward = ours[0].getName().endsWith("steward") ? ours[0] : ours[1];
        Thread.class.getMethod("suspend").invoke(steward);
        assertThatExceptionOfType(StalledException.class)
            .isThrownBy(() -> suspend(args[0], jvmti.threads(), worker.thread()))
            .withMessageContaining("jvmtools-steward");
        assertThatExceptionOfType(StalledException.class)
            .isThrownBy(() -> JvmTools.suspendThread(worker.thread()))
            .withMessageContaining("jvmtools-steward");
        // The first dump would ask it for one thing after the other: it goes without.
        assertThat(Shortest.of(3, ONCE_AND_A_MOMENT, Steward::dumped))
            .isLessThan(ONCE_AND_A_MOMENT);
        Thread.class.getMethod("resume").invoke(steward);
        // What was given up is not done after all.
        Eventually.isTrue("it is resumed", () -> isResumed(jvmti.threads(), worker.thread()));
        worker.runs();
      }
    }

    /**
     * He is in the middle of the first that he is asked for, and does it when nobody waits any
     * more.
     */
    private static void suspend(String what, Threads threads, Thread thread) {
      switch (what) {
        case "one" -> threads.suspend(thread);
        case "list" -> threads.suspend(List.of(thread));
        default -> threads.withSuspended(thread, LONG, () -> null);
      }
    }

    /** What an action was to be done for is resumed by the watchdog, a moment later. */
    private static boolean isResumed(Threads threads, Thread thread) {
      try {
        threads.withSuspended(thread, LONG, () -> null);
        return true;
      } catch (ThreadSuspendedException notYet) {
        return false;
      }
    }

    private static Duration dumped() {
      long start = System.nanoTime();
      assertThat(JvmTools.threadDump().unknown()).anyMatch(s -> s.contains("jvmtools-steward"));
      return Duration.ofNanos(System.nanoTime() - start);
    }
  }
}
