package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.jvmtools.Capability;
import io.jvmtools.internal.SelfTestNatives;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Shortest;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing an environment while a thread is inside a call that does not end. */
class CloseWhileWaitingTest {

  /** close() waits for half a second; that is three times as long. */
  private static final Duration BOUND = Duration.ofMillis(1_500);

  private static final long HELD =
      1L << Capability.CAN_TAG_OBJECTS.ordinal() | 1L << Capability.CAN_SUSPEND.ordinal();

  @ParameterizedTest
  @EnumSource
  void closeReturnsAndTheLastThreadOutDisposes(WayIn way) {
    way.of(OneWaits.class).run().succeeds();
  }

  static final class OneWaits {
    public static void main(String[] args) throws Exception {
      NativeLibrary.load();
      Object owner = new Object();
      assertThat(Shortest.of(10, BOUND, () -> closed(owner))).isLessThan(BOUND);

      long env = openOwn(owner);
      Thread inside = enters(env);
      assertThat(GeneralNatives.close(env)).as("disposed at once").isFalse();

      // What only one can hold is free, though a thread is still inside.
      assertThat(GeneralNatives.close(openOwn(owner))).isTrue();

      assertThat(GeneralNatives.isOpen(env)).isFalse();
      assertThatIllegalStateException().isThrownBy(() -> GeneralNatives.getPhase(env));
      assertThat(GeneralNatives.close(env)).as("disposed meanwhile").isFalse();
      GcUntil.settled();
      long meanwhile = GeneralNatives.open(owner);
      assertThat((int) meanwhile).as("another place").isNotEqualTo((int) env);

      SelfTestNatives.release();
      inside.join();
      Eventually.isTrue("the last one out has it disposed", () -> GeneralNatives.close(env));
      assertThat((int) GeneralNatives.open(owner)).as("the place").isEqualTo((int) env);
    }

    /** How long closing takes while a thread stays inside. */
    private static Duration closed(Object owner) {
      long env = openOwn(owner);
      Thread inside = enters(env);
      long before = System.nanoTime();
      GeneralNatives.close(env);
      Duration closed = Duration.ofNanos(System.nanoTime() - before);
      SelfTestNatives.release();
      join(inside);
      return closed;
    }

    private static Thread enters(long env) {
      Thread inside = new Thread(() -> SelfTestNatives.block(env), "inside");
      inside.setDaemon(true);
      inside.start();
      Eventually.isTrue("a thread is inside", () -> SelfTestNatives.blocked() == 1);
      return inside;
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyWaitingThreadsLeaveInAnyOrder(WayIn way) {
    way.of(ManyWait.class).run().succeeds();
  }

  static final class ManyWait {

    private static final int THREADS = 16;
    private static final int ROUNDS = 20;

    public static void main(String[] args) throws Exception {
      NativeLibrary.load();
      Object owner = new Object();
      for (int round = 0; round < ROUNDS; round++) {
        long env = openOwn(owner);
        Thread[] inside = new Thread[THREADS];
        for (int i = 0; i < THREADS; i++) {
          inside[i] = new Thread(() -> SelfTestNatives.block(env), "inside " + i);
          inside[i].setDaemon(true);
          inside[i].start();
        }
        Eventually.isTrue("all are inside", () -> SelfTestNatives.blocked() == THREADS);
        // The bound of close() is long: one round in which it passes is enough.
        Thread closer = new Thread(() -> GeneralNatives.close(env), "closer");
        closer.start();
        if (round == 0) {
          closer.join();
        } else {
          Eventually.isTrue("it is shut", () -> !GeneralNatives.isOpen(env));
        }
        SelfTestNatives.release();
        for (Thread thread : inside) {
          thread.join();
        }
        closer.join();
        Eventually.isTrue("disposed", () -> GeneralNatives.close(env));
        System.gc();
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** One that shares no environment of the JVM with others, for it holds a capability. */
  private static long openOwn(Object owner) {
    long env = GeneralNatives.open(owner);
    CapabilitiesNatives.addCapabilities(env, HELD);
    return env;
  }
}
