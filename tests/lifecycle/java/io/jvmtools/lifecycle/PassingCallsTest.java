package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.StalledException;
import io.jvmtools.dump.DumpConsistency;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.Child;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.LibraryCopy;
import io.jvmtools.support.OneJdkADay;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What only one can hold, and a call has for as long as it is inside: whoever asks waits for it.
 */
@OneJdkADay
class PassingCallsTest {

  @ParameterizedTest
  @EnumSource
  void oneThatIsAboutToReturnRefusesNobody(WayIn way) {
    way.of(Handoff.class).run().succeeds();
  }

  /** A thread that another one has resumed asks while that one is still inside. */
  static final class Handoff {

    private static final int ROUNDS = 100;

    public static void main(String[] args) throws Exception {
      Thread self = Thread.currentThread();
      for (int round = 0; round < ROUNDS; round++) {
        Thread resumes = new Thread(() -> resumeOnceSuspended(self), "resumes");
        resumes.setDaemon(true);
        resumes.start();
        JvmTools.suspendThread(self);
        Jvmti.open(CAN_SUSPEND).close();
        resumes.join();
      }
    }

    private static void resumeOnceSuspended(Thread thread) {
      while (!JvmTools.getThreadState(thread).isSuspended()) {
        Thread.onSpinWait();
      }
      JvmTools.resumeThread(thread);
    }
  }

  @ParameterizedTest
  @EnumSource
  void dumpsOfTwoCopiesAreTakenOneAfterTheOther(WayIn way) {
    way.of(TwoCopies.class).run().succeeds();
  }

  static final class TwoCopies {
    public static void main(String[] args) throws Exception {
      AtOnce.run(2, number -> new LibraryCopy().call(Dumps.class));
    }
  }

  /** None of them has to do without suspension because of another. */
  static final class Dumps implements Callable<Void> {

    private static final int DUMPS = 50;

    @Override
    public Void call() {
      for (int i = 0; i < DUMPS; i++) {
        ThreadDump dump = JvmTools.threadDump();
        // On a busy machine its own deadline may have passed.
        if (dump.consistency() != DumpConsistency.SUSPENDED) {
          assertThat(dump.unknown()).noneMatch(line -> line.contains("another environment"));
        }
      }
      return null;
    }
  }

  @ParameterizedTest
  @EnumSource
  void callsThatOverlapKeepNobodyFromHisTurn(WayIn way) {
    way.of(Overlapping.class).run().succeeds();
  }

  /** There is no moment at which none of them is inside. */
  static final class Overlapping {

    private static final int DUMPING = 4;
    private static final int ROUNDS = 30;

    private static volatile boolean over;

    public static void main(String[] args) throws Exception {
      CountDownLatch begun = new CountDownLatch(DUMPING);
      ExecutorService pool = Child.newDaemonPool(DUMPING);
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < DUMPING; i++) {
        ends.add(pool.submit(() -> dumpUntilItIsOver(begun)));
      }
      begun.await();
      for (int round = 0; round < ROUNDS; round++) {
        Jvmti.open(CAN_SUSPEND).close();
      }
      over = true;
      for (Future<?> end : ends) {
        end.get();
      }
    }

    /** Only for as long as the other one keeps it, a dump does without. */
    private static void dumpUntilItIsOver(CountDownLatch begun) {
      while (!over) {
        ThreadDump dump = JvmTools.threadDump();
        assertThat(dump.unknown())
            .noneMatch(line -> line.contains("CAN_SUSPEND is free, but this environment"));
        begun.countDown();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyThreadsOfTwoCopiesTakeTheirTurns(WayIn way) {
    way.of(ManyThreadsOfTwoCopies.class).run().succeeds();
  }

  static final class ManyThreadsOfTwoCopies {

    private static final int THREADS_OF_A_COPY = 3;

    public static void main(String[] args) throws Exception {
      LibraryCopy[] copies = {new LibraryCopy(), new LibraryCopy()};
      AtOnce.run(2 * THREADS_OF_A_COPY, number -> copies[number % 2].call(Dumps.class));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoIsBehindGoesOnAsSoonAsNobodyIsInFrontOfHim(WayIn way) {
    way.of(ThreeCopies.class).run().succeeds();
  }

  /**
   * One that slept for as long as he may, each time, would not be through within a child's
   * patience.
   */
  static final class ThreeCopies {

    private static final int ROUNDS = 2_000;

    public static void main(String[] args) throws Exception {
      AtOnce.run(3, number -> new LibraryCopy().call(number == 0 ? Opens.class : Takes.class));
    }

    static final class Opens implements Callable<Void> {
      @Override
      public Void call() {
        for (int round = 0; round < ROUNDS; round++) {
          Jvmti.open(CAN_SUSPEND).close();
          beElsewhere(round);
        }
        return null;
      }
    }

    /** For one to four milliseconds: some find nobody in front of them. */
    private static void beElsewhere(int round) {
      LockSupport.parkNanos(1_000_000L * (1 + round % 4));
    }

    static final class Takes implements Callable<Void> {
      @Override
      public Void call() {
        for (int round = 0; round < ROUNDS; round++) {
          JvmTools.threadDump();
          beElsewhere(round);
        }
        return null;
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneThatStandsStillIsNotWaitedForForEver(WayIn way) {
    way.of(StandsStill.class).run().succeeds();
  }

  static final class StandsStill {

    private static final CountDownLatch BEGUN = new CountDownLatch(1);
    private static final CountDownLatch OVER = new CountDownLatch(1);

    public static void main(String[] args) throws Exception {
      ExecutorService two = Child.newDaemonPool(2);
      try (Jvmti jvmti = Jvmti.open()) {
        long env = GeneralNatives.open(OVER);
        long mask = 1L << CAN_SUSPEND.ordinal();
        Future<?> stands =
            two.submit(
                () -> CapabilitiesNatives.whileBorrowed(env, mask, StandsStill::standInside));
        Eventually.isTrue("it has begun", () -> BEGUN.getCount() == 0);
        assertThat(jvmti.capabilities().obtainable()).contains(CAN_SUSPEND);
        Future<?> gaveUp = two.submit(() -> gaveUp(jvmti));
        while (!gaveUp.isDone()) {
          // Whoever waits keeps nobody else waiting.
          Jvmti.open(CAN_TAG_OBJECTS).close();
        }
        gaveUp.get();
        OVER.countDown();
        stands.get();
        jvmti.add(CAN_SUSPEND);
      }
    }

    private static void gaveUp(Jvmti jvmti) {
      assertThatExceptionOfType(StalledException.class)
          .isThrownBy(() -> jvmti.add(CAN_SUSPEND))
          .withMessageContaining("can_suspend");
    }

    private static void standInside() {
      BEGUN.countDown();
      try {
        OVER.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
