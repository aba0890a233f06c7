package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.jvmtools.Jvmti;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.support.Child;
import io.jvmtools.support.GcUntil;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An environment that nobody closed goes with its Java object. */
class ForgottenEnvironmentTest {

  @ParameterizedTest
  @EnumSource
  void isClosedAfterItsObjectIsCollected(WayIn way) {
    way.of(Forget.class).run().succeeds();
  }

  static final class Forget {

    private static final int MANY = 200;

    public static void main(String[] args) {
      Jvmti kept = Jvmti.open();
      for (int round = 0; round < 3; round++) {
        GcUntil.cleared(forgetMany());
        // The next one opened finds the places of those that are gone.
        Object owner = new Object();
        long next = GeneralNatives.open(owner);
        assertThat((int) next).as("the place").isLessThan(2 * MANY);
        GeneralNatives.close(next);
        assertThat(kept.isOpen()).isTrue();
      }
    }

    private static WeakReference<?>[] forgetMany() {
      WeakReference<?>[] forgotten = new WeakReference<?>[MANY];
      for (int i = 0; i < MANY; i++) {
        forgotten[i] = new WeakReference<>(Jvmti.open());
      }
      return forgotten;
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneInUseIsNotForgotten(WayIn way) {
    way.of(InUse.class).run().succeeds();
  }

  static final class InUse {
    public static void main(String[] args) {
      Jvmti jvmti = Jvmti.open();
      for (int round = 0; round < 10; round++) {
        System.gc();
        Jvmti.open().close();
        assertThat(jvmti.threads().all()).contains(Thread.currentThread());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void noneIsLostWhenManyThreadsOpenCloseAndForget(WayIn way) {
    way.of(ManyThreads.class).run().succeeds();
  }

  static final class ManyThreads {

    private static final int THREADS = 4;
    private static final int ROUNDS = 500;

    public static void main(String[] args) throws Exception {
      NativeLibrary.load();
      long first = GeneralNatives.open(new Object());
      int lowest = (int) first;
      GeneralNatives.close(first);
      ExecutorService pool = Child.newDaemonPool(THREADS);
      List<Future<Integer>> ends = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        ends.add(pool.submit(ManyThreads::openCloseAndForget));
      }
      int highest = lowest;
      for (Future<Integer> end : ends) {
        highest = Math.max(highest, end.get());
      }
      GcUntil.settled();

      // All places that were taken are free again.
      Object owner = new Object();
      for (int place = lowest; place <= highest; place++) {
        assertThat((int) GeneralNatives.open(owner)).as("a place").isBetween(lowest, highest);
      }
    }

    /** Answers the highest place it was given. */
    private static int openCloseAndForget() {
      int highest = 0;
      for (int i = 0; i < ROUNDS; i++) {
        Object owner = new Object();
        long env = GeneralNatives.open(owner);
        highest = Math.max(highest, (int) env);
        if (i % 2 == 0) {
          GeneralNatives.close(env);
          Reference.reachabilityFence(owner);
        }
        if (i % 50 == 0) {
          System.gc();
        }
      }
      return highest;
    }
  }

  @ParameterizedTest
  @EnumSource
  void moreAreForgottenThanCanBeOpenAtOnce(WayIn way) {
    way.of(MoreThanPlaces.class).withoutJniChecks().jvmArgs("-Xmx1g", "-Xmn512m").run().succeeds();
  }

  static final class MoreThanPlaces {

    private static final int PLACES = 1 << 16;

    public static void main(String[] args) {
      NativeLibrary.load();
      for (int i = 0; i < 5 * PLACES; i++) {
        GeneralNatives.open(new Object());
      }
      refusesWithoutCollectingEachTime();
    }

    private static void refusesWithoutCollectingEachTime() {
      Object owner = new Object();
      System.gc();
      List<Long> open = new ArrayList<>();
      assertThatIllegalStateException()
          .isThrownBy(
              () -> {
                while (true) {
                  open.add(GeneralNatives.open(owner));
                }
              })
          .withMessageContaining("close some");
      assertThat(open).hasSizeGreaterThan(PLACES / 2);
      long before = collections();
      for (int i = 0; i < 50; i++) {
        assertThatIllegalStateException().isThrownBy(() -> GeneralNatives.open(owner));
      }
      assertThat(collections() - before).as("collections").isLessThan(25);
      open.forEach(GeneralNatives::close);
      Reference.reachabilityFence(owner);
      GeneralNatives.close(GeneralNatives.open(owner));
    }

    private static long collections() {
      return ManagementFactory.getGarbageCollectorMXBeans().stream()
          .mapToLong(GarbageCollectorMXBean::getCollectionCount)
          .sum();
    }
  }
}
