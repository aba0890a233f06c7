package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.support.AtOnce;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two threads close the same environment. */
class CloseAtOnceTest {

  @ParameterizedTest
  @EnumSource
  void whoIsToldThatItIsGoneFindsItGone(WayIn way) {
    way.of(Both.class).run().succeeds();
  }

  static final class Both {

    private static final int THREADS = 2;
    private static final int ROUNDS = 2_000;
    private static final long SOLO = 1L << CAN_SUSPEND.ordinal();

    private final Object owner = new Object();
    private final AtomicInteger arrived = new AtomicInteger();
    private volatile long env;

    public static void main(String[] args) throws Exception {
      NativeLibrary.load();
      Both both = new Both();
      AtOnce.run(THREADS, both::closeOften);
    }

    /** Goes on to the end also where it finds it wrong, for the other thread waits for this one. */
    private void closeOften(int number) {
      int wrong = 0;
      long other = GeneralNatives.open(owner);
      for (int round = 0; round < ROUNDS; round++) {
        if (number == 0) {
          long opened = GeneralNatives.open(owner);
          CapabilitiesNatives.addCapabilities(opened, SOLO);
          env = opened;
        }
        meet(2 * round + 1);
        boolean gone = GeneralNatives.close(env);
        long obtainable = CapabilitiesNatives.getPotentialCapabilities(other);
        wrong += gone && (obtainable & SOLO) == 0 ? 1 : 0;
        meet(2 * round + 2);
      }
      assertThat(wrong).as("times it was not gone").isZero();
    }

    /** Without sleeping, so that both go on at the same moment. */
    private void meet(int times) {
      arrived.incrementAndGet();
      while (arrived.get() < times * THREADS) {
        Thread.onSpinWait();
      }
    }
  }
}
