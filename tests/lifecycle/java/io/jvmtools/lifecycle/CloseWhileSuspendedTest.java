package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;

import io.jvmtools.Jvmti;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thread that is suspended by the environment that it is closing comes out all the same. */
class CloseWhileSuspendedTest {

  @ParameterizedTest
  @EnumSource
  void whoClosesIsResumed(WayIn way) {
    way.of(Main.class).run().succeeds();
  }

  static final class Main {

    private static final int ROUNDS = 1_500;

    /** What closing forgets of each takes a call into the VM, in which who closes may stop. */
    private static final int REMEMBERED = 300;

    private static volatile boolean go;

    public static void main(String[] args) {
      List<Parked> parked = new ArrayList<>();
      for (int i = 0; i < REMEMBERED; i++) {
        parked.add(Parked.inPark());
      }
      for (int round = 0; round < ROUNDS; round++) {
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
        parked.forEach(one -> jvmti.threads().setLocalStorage(one.thread(), 1));
        close(jvmti);
      }
      parked.forEach(Parked::close);
    }

    private static void close(Jvmti jvmti) {
      long after = ThreadLocalRandom.current().nextLong(150_000);
      go = false;
      Thread closes = new Thread(() -> close(jvmti, after), "closes");
      closes.setDaemon(true);
      closes.start();
      go = true;
      try {
        jvmti.threads().suspend(closes);
      } catch (IllegalStateException | ThreadNotAliveException tooLate) {
        // It has closed, or is just about to.
      }
      if (jvmti.isOpen()) {
        jvmti.close();
      }
      Eventually.isTrue("it comes out", () -> !closes.isAlive());
    }

    private static void close(Jvmti jvmti, long afterNanos) {
      while (!go) {
        Thread.onSpinWait();
      }
      long start = System.nanoTime();
      while (System.nanoTime() - start < afterNanos) {
        Thread.onSpinWait();
      }
      jvmti.close();
    }
  }
}
