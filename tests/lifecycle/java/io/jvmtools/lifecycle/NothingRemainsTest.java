package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GET_THREAD_CPU_TIME;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.internal.SelfTestNatives;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.internal.objects.HeapNatives;
import io.jvmtools.support.Counting;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Parked;
import java.lang.ref.WeakReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The next environment begins with nothing of one that is gone, closed or forgotten. */
class NothingRemainsTest {

  private static final long TAGS = 1L << CAN_TAG_OBJECTS.ordinal();

  @ParameterizedTest
  @EnumSource
  void ofEverythingAnEnvironmentCanKeep(WayIn way) {
    way.of(Everything.class).run().succeeds();
  }

  static final class Everything {

    private static final int ROUNDS = 100;
    private static final long TAG = 42;

    private final Object object = new Object();
    private final Thread parked = Parked.inPark().thread();

    public static void main(String[] args) {
      Everything everything = new Everything();
      try (Counting worker = Counting.platform()) {
        for (int round = 0; round < ROUNDS; round++) {
          everything.keep(worker).close();
          everything.isNotThere(worker);
        }
        GcUntil.cleared(new WeakReference<>(everything.keep(worker)));
        everything.isNotThere(worker);
      }
    }

    private Jvmti keep(Counting worker) {
      Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS, CAN_SUSPEND, CAN_GET_THREAD_CPU_TIME);
      jvmti.objects().setTag(object, TAG);
      jvmti.objects().setTag(Everything.class, TAG);
      jvmti.threads().setLocalStorage(parked, TAG);
      jvmti.threads().suspend(worker.thread());
      return jvmti;
    }

    private void isNotThere(Counting worker) {
      try (Jvmti jvmti = Jvmti.open();
          Jvmti second = Jvmti.open(CAN_TAG_OBJECTS, CAN_SUSPEND)) {
        assertThat(jvmti.capabilities().held()).isEmpty();
        assertThat(second.capabilities().held()).containsOnly(CAN_TAG_OBJECTS, CAN_SUSPEND);
        worker.runs();
        jvmti.add(CAN_TAG_OBJECTS);
        for (Jvmti next : new Jvmti[] {jvmti, second}) {
          assertThat(next.objects().tag(object)).isEmpty();
          assertThat(next.objects().withTag(TAG, Object.class)).isEmpty();
          assertThat(next.threads().localStorage(parked)).isZero();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofTheEventsThatWereEnabled(WayIn way) {
    way.of(Events.class).run().succeeds();
  }

  static final class Events {
    public static void main(String[] args) throws InterruptedException {
      NativeLibrary.load();
      Object owner = new Object();
      for (int round = 0; round < 20; round++) {
        long armed = GeneralNatives.open(owner);
        CapabilitiesNatives.addCapabilities(armed, TAGS);
        SelfTestNatives.armThreadStart(armed);
        assertThat(startsCounted()).isPositive();
        GeneralNatives.close(armed);
        long next = GeneralNatives.open(owner);
        CapabilitiesNatives.addCapabilities(next, TAGS);
        assertThat(startsCounted()).as("round " + round).isZero();
        GeneralNatives.close(next);
      }
    }

    private static long startsCounted() throws InterruptedException {
      long before = SelfTestNatives.threadStarts();
      Parked.ended();
      return SelfTestNatives.threadStarts() - before;
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofACallThatWasInsideWhenItWasClosed(WayIn way) {
    way.of(Inside.class).run().succeeds();
  }

  static final class Inside {

    private static final int ROUNDS = 100;

    public static void main(String[] args) {
      NativeLibrary.load();
      Object owner = new Object();
      Object object = new Object();
      for (int round = 0; round < ROUNDS; round++) {
        long closed = GeneralNatives.open(owner);
        CapabilitiesNatives.addCapabilities(closed, TAGS);
        try (Working tags = new Working(other -> tag(closed, object))) {
          GeneralNatives.close(closed);
          long next = GeneralNatives.open(owner);
          CapabilitiesNatives.addCapabilities(next, TAGS);
          tags.works();
          assertThat(HeapNatives.getTag(next, object)).as("round " + round).isZero();
          GeneralNatives.close(next);
        }
      }
    }

    private static void tag(long env, Object object) {
      try {
        HeapNatives.setTag(env, object, 42);
      } catch (IllegalStateException closed) {
        assertThat(closed).hasMessageContaining("closed");
      }
    }
  }
}
