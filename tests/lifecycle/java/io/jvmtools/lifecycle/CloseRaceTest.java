package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.support.Child;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing an environment that eight threads are using, again and again. */
class CloseRaceTest {

  private static final int THREADS = 8;
  private static final int ROUNDS = 200;
  private static final int ROUNDS_PER_COLLECTION = 20;

  @ParameterizedTest
  @EnumSource
  void everyCallSucceedsOrSaysThatTheEnvironmentIsClosed(WayIn way) {
    way.of(Race.class).run().succeeds().out().contains("rounds " + ROUNDS);
  }

  static final class Race {

    public static void main(String[] args) throws Exception {
      NativeLibrary.load();
      ExecutorService callers = Child.newDaemonPool(THREADS);
      Object owner = new Object();
      int place = -1;
      try (Parked other = Parked.inPark()) {
        List<Calls.Named> calls = Calls.all(other.thread());
        for (int round = 0; round < ROUNDS; round++) {
          long env = GeneralNatives.open(owner);
          assertThat((int) env)
              .as("the place, given back")
              .isEqualTo(place < 0 ? (int) env : place);
          place = (int) env;
          CapabilitiesNatives.addCapabilities(env, Calls.CAPABILITIES);
          race(env, calls, callers);
          if (round % ROUNDS_PER_COLLECTION == 0) {
            System.gc();
          }
        }
      }
      System.out.println("rounds " + ROUNDS);
    }

    private static void race(long env, List<Calls.Named> calls, ExecutorService callers)
        throws Exception {
      CountDownLatch busy = new CountDownLatch(THREADS);
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int first = i * calls.size() / THREADS;
        ends.add(callers.submit(() -> callUntilClosed(env, calls, first, busy)));
      }
      busy.await();
      GeneralNatives.close(env);
      assertThat(GeneralNatives.isOpen(env)).isFalse();
      for (Future<?> end : ends) {
        end.get();
      }
      // On a busy machine the steward may be at it for longer than closing waits for him.
      Eventually.isTrue("nobody is inside or at it", () -> GeneralNatives.close(env));
    }

    private static void callUntilClosed(
        long env, List<Calls.Named> calls, int first, CountDownLatch busy) {
      try {
        for (int i = first; ; i++) {
          calls.get(i % calls.size()).call().on(env);
          busy.countDown();
        }
      } catch (IllegalStateException closed) {
        assertThat(closed).hasMessageContaining("closed");
      } catch (RuntimeException | Error unexpected) {
        busy.countDown();
        throw unexpected;
      }
    }
  }
}
