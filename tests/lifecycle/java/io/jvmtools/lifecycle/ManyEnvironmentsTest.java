package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GET_THREAD_CPU_TIME;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static io.jvmtools.event.EventTypes.CLASS_PREPARE;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.support.Parked;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An environment costs as much as the first, however many there were before. */
@OneJdkADay
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

    /** Half of them with capabilities. */
    private static final int BLOCKS = 50;

    private static final int THREADS = 100;
    private static final int LISTENING = 200;
    private static final int LISTENING_BLOCKS = 15;

    /** So often in succession, because anything may disturb one of them. */
    private static final int IN_SUCCESSION = 3;

    private static final int MOST_TIMES_DEARER = 10;

    /** Below that the clock of processor time says nothing. */
    private static final long LEAST = Duration.ofMillis(20).toNanos();

    public static void main(String[] args) {
      stayAsCheap("without capabilities", BLOCKS / 2, () -> openAndClose(NONE));
      stayAsCheap("with some", BLOCKS / 2, () -> openAndClose(SOME));
      stayAsCheap("having tagged", BLOCKS / 2, Closed::openTagAndClose);
      // Events are enabled for each thread, in each environment.
      Stream.generate(Parked::inPark).limit(THREADS).forEach(parked -> {});
      stayAsCheap("having listened", LISTENING_BLOCKS, Closed::openListenAndClose);
    }

    private static void stayAsCheap(String what, int blocks, Runnable body) {
      cpuTime(body);
      GcUntil.settled();
      long first = Math.max(LEAST, cpuTime(body));
      int dearer = 0;
      for (int block = 1; block < blocks; block++) {
        boolean isDearer = cpuTime(body) > MOST_TIMES_DEARER * first;
        dearer = isDearer ? dearer + 1 : 0;
        assertThat(dearer).as(what + ", block " + block).isLessThan(IN_SUCCESSION);
      }
    }

    private static void openAndClose(Set<Capability> capabilities) {
      for (int i = 0; i < BLOCK; i++) {
        Jvmti.open(capabilities).close();
      }
    }

    private static void openListenAndClose() {
      for (int i = 0; i < LISTENING; i++) {
        try (Jvmti jvmti = Jvmti.open()) {
          jvmti.events().on(CLASS_PREPARE, event -> {});
        }
      }
    }

    private static void openTagAndClose() {
      Object object = new Object();
      for (int i = 0; i < BLOCK; i++) {
        try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS)) {
          jvmti.objects().setTag(object, i + 1);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void twentyThousandThatAreForgotten(WayIn way) {
    way.of(Forgotten.class).withoutJniChecks().jvmArgs("-Xms256m").run().succeeds();
  }

  static final class Forgotten {

    private static final int PARTS = 10;

    /** At once they are quadratic: ten times as dear as in ten parts. */
    private static final int MOST_TIMES_DEARER = 4;

    private static final long LEAST = Duration.ofMillis(50).toNanos();

    public static void main(String[] args) {
      forgetAndSweep(BLOCK);
      long inParts = cpuTime(Forgotten::inParts);
      long atOnce = cpuTime(() -> forgetAndSweep(PARTS * BLOCK));
      assertThat((double) atOnce / Math.max(LEAST, inParts)).isLessThan(MOST_TIMES_DEARER);
    }

    private static void inParts() {
      for (int i = 0; i < PARTS; i++) {
        forgetAndSweep(BLOCK);
      }
    }

    private static void forgetAndSweep(int count) {
      WeakReference<?>[] forgotten = new WeakReference<?>[count];
      for (int i = 0; i < count; i++) {
        forgotten[i] = new WeakReference<>(Jvmti.open());
      }
      GcUntil.cleared(forgotten);
      // Each looks for a part of those that are gone.
      for (int i = 0; i < count / 20; i++) {
        Jvmti.open().close();
      }
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
