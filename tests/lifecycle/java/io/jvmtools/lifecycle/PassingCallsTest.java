package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.StalledException;
import io.jvmtools.dump.DumpConsistency;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.Child;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.LibraryCopy;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What only one can hold, and a call has for as long as it is inside: whoever asks waits for it.
 */
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

  /** Each of them finds all threads standing still. */
  static final class Dumps implements Callable<Void> {

    private static final int DUMPS = 50;

    @Override
    public Void call() {
      for (int i = 0; i < DUMPS; i++) {
        assertThat(JvmTools.threadDump().consistency()).isEqualTo(DumpConsistency.SUSPENDED);
      }
      return null;
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
