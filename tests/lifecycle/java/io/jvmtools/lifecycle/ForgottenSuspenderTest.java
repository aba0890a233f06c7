package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Eventually;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a forgotten environment has suspended runs again, whoever stands still. */
class ForgottenSuspenderTest {

  @ParameterizedTest
  @EnumSource
  void nobodyHasToOpenAnotherOne(WayIn way) {
    way.of(Alone.class).run().succeeds();
  }

  static final class Alone {
    public static void main(String[] args) {
      Counting worker = Counting.platform();
      JvmTools.getThreadState(worker.thread());
      forget(worker.thread(), 0);
      long before = worker.count();
      Eventually.isTrue("it runs", () -> collected() && worker.count() != before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void norDoesItMatterThatTheOneWhoLooksForItStandsStill(WayIn way) {
    way.of(Looking.class).run().succeeds();
  }

  static final class Looking {

    /** Six times as many as it took to see one that stood still for good. */
    private static final int ROUNDS = 120;

    private static volatile long opened;

    public static void main(String[] args) {
      Thread looks = new Thread(Looking::openForEver, "looks");
      looks.setDaemon(true);
      looks.start();
      for (int round = 0; round < ROUNDS; round++) {
        long early = opened;
        Eventually.isTrue("it looks", () -> opened != early);
        forget(looks, ThreadLocalRandom.current().nextLong(200_000));
        long before = opened;
        Eventually.isTrue(
            "it looks again",
            () -> {
              collected();
              Jvmti.open().close();
              return opened != before;
            });
      }
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // One thread writes it.
    private static void openForEver() {
      while (true) {
        Jvmti.open().close();
        opened++;
      }
    }
  }

  private static void forget(Thread thread, long afterNanos) {
    Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
    long start = System.nanoTime();
    while (System.nanoTime() - start < afterNanos) {
      Thread.onSpinWait();
    }
    jvmti.threads().suspend(thread);
  }

  private static boolean collected() {
    System.gc();
    return true;
  }
}
