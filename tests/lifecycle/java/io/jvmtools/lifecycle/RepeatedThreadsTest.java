package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.support.Parked;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A list in which the same thread stands many times costs as much as it is long. */
class RepeatedThreadsTest {

  private static final int FEW = 20_000;
  private static final int MANY = 80_000;

  /** Four is linear, sixteen quadratic. */
  private static final int MOST_TIMES_DEARER = 8;

  @ParameterizedTest
  @EnumSource
  void fourTimesTheLengthIsFourTimesTheWork(WayIn way) {
    way.of(Lengths.class).withoutJniChecks().run().succeeds();
  }

  static final class Lengths {

    private static final int TIMES = 5;

    /** The JVM counts in hundredths of a second. */
    private static final int CALLS = 10;

    private static final OperatingSystemMXBean PROCESS =
        ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    public static void main(String[] args) {
      try (Parked worker = Parked.inPark();
          Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        compare("suspend and resume", worker.thread(), list -> suspendAndResume(jvmti, list));
        compare(
            "withSuspended",
            worker.thread(),
            list -> jvmti.threads().withSuspended(list, Duration.ofMinutes(1), () -> null));
      }
    }

    private static void suspendAndResume(Jvmti jvmti, List<Thread> list) {
      Map<Thread, JvmtiError> refused = jvmti.threads().suspend(list);
      assertThat(refused).containsOnlyKeys(list.get(0));
      jvmti.threads().resume(list);
    }

    /** Side by side and several times, and the least counts: what else the JVM does adds to it. */
    private static void compare(String what, Thread thread, Consumer<List<Thread>> body) {
      List<Thread> few = Collections.nCopies(FEW, thread);
      List<Thread> many = Collections.nCopies(MANY, thread);
      long ofFew = Long.MAX_VALUE;
      long ofMany = Long.MAX_VALUE;
      for (int i = 0; i < TIMES; i++) {
        ofFew = Math.min(ofFew, cpuTime(body, few));
        ofMany = Math.min(ofMany, cpuTime(body, many));
      }
      assertThat((double) ofMany / ofFew).as(what).isLessThan(MOST_TIMES_DEARER);
    }

    /** Of all threads: most of the work is that of the library's own. */
    private static long cpuTime(Consumer<List<Thread>> body, List<Thread> list) {
      long before = PROCESS.getProcessCpuTime();
      for (int i = 0; i < CALLS; i++) {
        body.accept(list);
      }
      return PROCESS.getProcessCpuTime() - before;
    }
  }
}
