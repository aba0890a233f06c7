package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.internal.SelfTestNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whoever closes an environment looks at a place of each thread: where many have called, not of
 * those that ended.
 */
class PlacesOfEndedThreadsTest {

  @ParameterizedTest
  @EnumSource
  void arePlacesOfOthersOnceThereAreMany(WayIn way) {
    way.of(ManyThreads.class).run().succeeds();
  }

  static final class ManyThreads {

    private static final int AT_ONCE = 500;

    public static void main(String[] args) throws InterruptedException {
      NativeLibrary.load();
      assertThat(placesOfSoManyThreads()).isGreaterThan(AT_ONCE * 9 / 10);
      SelfTestNatives.pretendThreads(10_000);
      assertThat(placesOfSoManyThreads()).isLessThan(AT_ONCE / 10);
    }

    private static int placesOfSoManyThreads() throws InterruptedException {
      int before = SelfTestNatives.placedThreads();
      CountDownLatch called = new CountDownLatch(AT_ONCE);
      Thread[] threads =
          Stream.generate(() -> new Thread(() -> call(called)))
              .limit(AT_ONCE)
              .toArray(Thread[]::new);
      for (Thread thread : threads) {
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      return SelfTestNatives.placedThreads() - before;
    }

    /** All are there at once, so that no two have one address. */
    private static void call(CountDownLatch called) {
      assertThat(JvmTools.getThreadState(Thread.currentThread()).isAlive()).isTrue();
      called.countDown();
      try {
        called.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
