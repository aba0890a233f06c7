package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.jvmtools.Jvmti;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.internal.objects.HeapNatives;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** After DisposeEnvironment HotSpot frees it at a collection; using it then crashes: not here. */
class CloseTest {

  @ParameterizedTest
  @EnumSource
  void aClosedEnvironmentRefusesEveryCallAlsoAfterCollections(WayIn way) {
    way.of(UseAfterClose.class).run().succeeds();
  }

  static final class UseAfterClose {
    public static void main(String[] args) {
      NativeLibrary.load();
      Object owner = new Object();
      try (Parked other = Parked.inPark()) {
        long env = GeneralNatives.open(owner);
        CapabilitiesNatives.addCapabilities(env, Calls.CAPABILITIES);
        for (Calls.Named call : Calls.all(other.thread())) {
          assertThatCode(() -> call.call().on(env)).as(call.name()).doesNotThrowAnyException();
        }
        assertThat(GeneralNatives.close(env)).isTrue();
        for (int round = 0; round < 3; round++) {
          for (Calls.Named call : Calls.all(other.thread())) {
            assertThatIllegalStateException().as(call.name()).isThrownBy(() -> call.call().on(env));
          }
          assertThat(GeneralNatives.isOpen(env)).isFalse();
          GcUntil.settled();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingTwiceIsHarmless(WayIn way) {
    way.of(CloseTwice.class).run().succeeds();
  }

  static final class CloseTwice {
    public static void main(String[] args) {
      Jvmti jvmti = Jvmti.open();
      jvmti.close();
      jvmti.close();
      GcUntil.settled();
      jvmti.close();
      assertThat(jvmti.isOpen()).isFalse();
      assertThat(jvmti).hasToString("Jvmti[closed]");
      assertThatIllegalStateException().isThrownBy(jvmti::phase);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStaleHandleNeverReachesTheNextEnvironmentInItsPlace(WayIn way) {
    way.of(StaleHandle.class).run().succeeds();
  }

  static final class StaleHandle {
    public static void main(String[] args) {
      NativeLibrary.load();
      Object owner = new Object();
      long first = GeneralNatives.open(owner);
      GeneralNatives.close(first);
      long second = GeneralNatives.open(owner);
      assertThat((int) second).as("the place").isEqualTo((int) first);
      assertThat(second).isNotEqualTo(first);
      assertThatIllegalStateException().isThrownBy(() -> GeneralNatives.getPhase(first));
      assertThat(GeneralNatives.close(first)).as("closed long ago").isTrue();
      assertThat(GeneralNatives.isOpen(second)).isTrue();
    }
  }

  /**
   * The JVM needs seconds for the tags of millions of objects, and others wait for the steward.
   * Before 21 it takes a tenth of that, and loses capabilities if another thread does it.
   */
  @ParameterizedTest
  @EnumSource
  void whatHasTaggedMuchIsDisposedByAThreadForThat(WayIn way) {
    way.of(ManyTags.class).run().succeeds();
  }

  static final class ManyTags {

    private static final int MANY = 5_000;

    public static void main(String[] args) {
      NativeLibrary.load();
      Object owner = new Object();
      assertThat(startedToDispose(owner, 1)).isZero();
      int forThat = Runtime.version().feature() >= 21 ? 1 : 0;
      assertThat(startedToDispose(owner, MANY)).isEqualTo(forThat);
      // One that begins while the last one ends.
      assertThat(atOnceToDisposeOf(owner, 8)).isLessThanOrEqualTo(forThat * 2);
    }

    private static int atOnceToDisposeOf(Object owner, int environments) {
      Object[] objects = objects(MANY * 10);
      long[] all = new long[environments];
      Arrays.setAll(all, i -> tagging(owner, objects));
      ThreadPoolExecutor closers = closers(environments);
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      threads.resetPeakThreadCount();
      int before = threads.getPeakThreadCount();
      long started = threads.getTotalStartedThreadCount();
      for (long env : all) {
        // Whoever closes waits a while.
        closers.execute(() -> GeneralNatives.close(env));
      }
      awaitFree(owner, all);
      if (!Installation.keepsThreads()) {
        boolean isByThreads = Runtime.version().feature() >= 21;
        assertThat(threads.getTotalStartedThreadCount() > started).isEqualTo(isByThreads);
        Eventually.isTrue("their threads end", () -> threads.getThreadCount() == before);
      }
      int most = threads.getPeakThreadCount() - before;
      closers.shutdown();
      return most;
    }

    private static ThreadPoolExecutor closers(int many) {
      ThreadPoolExecutor closers =
          new ThreadPoolExecutor(many, many, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
      closers.prestartAllCoreThreads();
      return closers;
    }

    private static Object[] objects(int many) {
      return Stream.generate(Object::new).limit(many).toArray();
    }

    private static long tagging(Object owner, Object[] objects) {
      long env = GeneralNatives.open(owner);
      CapabilitiesNatives.addCapabilities(env, 1L << CAN_TAG_OBJECTS.ordinal());
      for (int i = 0; i < objects.length; i++) {
        HeapNatives.setTag(env, objects[i], i + 1);
      }
      return env;
    }

    private static long startedToDispose(Object owner, int tags) {
      Object[] objects = objects(tags);
      long env = tagging(owner, objects);
      long before = ManagementFactory.getThreadMXBean().getTotalStartedThreadCount();
      GeneralNatives.close(env);
      awaitFree(owner, env);
      assertThat(tagOf(objects[tags - 1], owner)).as("nobody else's").isZero();
      return ManagementFactory.getThreadMXBean().getTotalStartedThreadCount() - before;
    }

    private static long tagOf(Object object, Object owner) {
      long next = GeneralNatives.open(owner);
      CapabilitiesNatives.addCapabilities(next, 1L << CAN_TAG_OBJECTS.ordinal());
      long tag = HeapNatives.getTag(next, object);
      GeneralNatives.close(next);
      return tag;
    }

    /** Looks at one place more each time: what is given back meanwhile may lie under what was. */
    private static void awaitFree(Object owner, long... all) {
      Set<Integer> places = new HashSet<>();
      Arrays.stream(all).forEach(env -> places.add((int) env));
      AtomicInteger many = new AtomicInteger(all.length);
      Eventually.isTrue(
          "they are disposed",
          () -> {
            List<Long> next =
                Stream.generate(() -> GeneralNatives.open(owner)).limit(many.get()).toList();
            next.forEach(env -> places.remove(env.intValue()));
            next.forEach(GeneralNatives::close);
            many.incrementAndGet();
            return places.isEmpty();
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void aForgedHandleIsAnException(WayIn way) {
    way.of(ForgedHandle.class).run().succeeds();
  }

  static final class ForgedHandle {
    public static void main(String[] args) {
      NativeLibrary.load();
      long[] forged = {
        0, 1, -1, 1L << 32, (1L << 32) | 0xFFFF, 0xFFFF_FFFFL, Long.MAX_VALUE, Long.MIN_VALUE
      };
      try (Parked other = Parked.inPark()) {
        for (long env : forged) {
          if (!GeneralNatives.isOpen(env)) {
            for (Calls.Named call : Calls.all(other.thread())) {
              assertThatIllegalStateException().isThrownBy(() -> call.call().on(env));
            }
            GeneralNatives.close(env);
          }
        }
      }
      assertThat(GeneralNatives.isOpen(GeneralNatives.metadata())).isTrue();
    }
  }
}
