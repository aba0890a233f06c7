package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GET_THREAD_CPU_TIME;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.support.GcUntil;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An environment costs as much as the first, however many there were before. */
class ManyEnvironmentsTest {

  private static final int BLOCK = 2_000;
  private static final Set<Capability> NONE = Set.of();
  private static final Set<Capability> SOME = Set.of(CAN_TAG_OBJECTS, CAN_GET_THREAD_CPU_TIME);

  @ParameterizedTest
  @EnumSource
  void aHundredThousandThatAreClosed(WayIn way) {
    way.of(Closed.class).withoutJniChecks().run().succeeds();
  }

  static final class Closed {

    private static final int BLOCKS = 50;

    /** So often in succession, because anything may disturb one of them. */
    private static final int IN_SUCCESSION = 3;

    private static final int MOST_TIMES_DEARER = 10;

    public static void main(String[] args) {
      stayAsCheap(NONE);
      stayAsCheap(SOME);
    }

    private static void stayAsCheap(Set<Capability> capabilities) {
      cpuTime(() -> openAndClose(capabilities));
      GcUntil.settled();
      long first = cpuTime(() -> openAndClose(capabilities));
      int dearer = 0;
      for (int block = 1; block < BLOCKS / 2; block++) {
        boolean isDearer = cpuTime(() -> openAndClose(capabilities)) > MOST_TIMES_DEARER * first;
        dearer = isDearer ? dearer + 1 : 0;
        assertThat(dearer).as(capabilities + ", block " + block).isLessThan(IN_SUCCESSION);
      }
    }

    private static void openAndClose(Set<Capability> capabilities) {
      Object object = new Object();
      for (int i = 0; i < BLOCK; i++) {
        Jvmti jvmti = Jvmti.open(capabilities);
        if (capabilities.contains(CAN_TAG_OBJECTS)) {
          jvmti.objects().setTag(object, i + 1);
        }
        jvmti.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void twentyThousandThatAreForgotten(WayIn way) {
    way.of(Forgotten.class).withoutJniChecks().jvmArgs("-Xms256m").run().succeeds();
  }

  static final class Forgotten {

    private static final int MANY = 20_000;

    /** Ten times as many: linear is ten, quadratic a hundred. */
    private static final int MOST_TIMES_DEARER = 40;

    public static void main(String[] args) {
      forget(BLOCK);
      cpuTime(() -> Jvmti.open().close());
      long few = cpuTime(() -> forget(BLOCK));
      long fewSwept = cpuTime(() -> Jvmti.open().close());
      long many = cpuTime(() -> forget(MANY));
      long manySwept = cpuTime(() -> Jvmti.open().close());
      assertThat((double) many / few).as("to open").isLessThan(MOST_TIMES_DEARER);
      assertThat((double) manySwept / fewSwept).as("to sweep").isLessThan(MOST_TIMES_DEARER);
    }

    private static void forget(int count) {
      WeakReference<?>[] forgotten = new WeakReference<?>[count];
      for (int i = 0; i < count; i++) {
        forgotten[i] = new WeakReference<>(Jvmti.open(i % 2 == 0 ? NONE : SOME));
      }
      GcUntil.cleared(forgotten);
    }
  }

  /** Of all threads, whoever does the work: what else the machine does is not in it. */
  private static long cpuTime(Runnable body) {
    OperatingSystemMXBean process =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    long before = process.getProcessCpuTime();
    body.run();
    return process.getProcessCpuTime() - before;
  }
}
