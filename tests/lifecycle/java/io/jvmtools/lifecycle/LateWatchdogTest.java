package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.SuspensionExpiredException;
import io.jvmtools.support.Counting;
import io.jvmtools.support.OneJdkADay;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A deadline that passes just when the action ends undoes nothing that is suspended after it. */
@OneJdkADay
class LateWatchdogTest {

  @ParameterizedTest
  @EnumSource
  void whatIsSuspendedAfterAnActionThatEndsAtItsDeadlineStands(WayIn way) {
    way.of(Late.class).run().succeeds();
  }

  static final class Late {

    private static final int ROUNDS = 250;

    public static void main(String[] args) {
      // Not closed: it would wait for ever if this test failed.
      Counting worker = Counting.platform();
      int expired = 0;
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        for (int round = 0; round < ROUNDS; round++) {
          expired += expires(jvmti, worker.thread(), 2_000_000 + round * 37_000 % 1_000_000);
          jvmti.threads().suspend(worker.thread());
          long before = worker.count();
          // Time enough for one who is late.
          System.gc();
          assertThat(worker.count()).as("round " + round).isEqualTo(before);
          jvmti.threads().resume(worker.thread());
          worker.runs();
        }
      }
      assertThat(expired).as("actions that ended too late").isPositive();
    }

    /** Ends at the deadline; whether before or after it is left to chance. */
    private static int expires(Jvmti jvmti, Thread thread, long nanos) {
      try {
        jvmti.threads().withSuspended(thread, Duration.ofNanos(nanos), () -> untilPassed(nanos));
        return 0;
      } catch (SuspensionExpiredException tooLate) {
        return 1;
      }
    }

    /** At a safepoint of a collection the watchdog is late. */
    private static Void untilPassed(long nanos) {
      long start = System.nanoTime();
      do {
        System.gc();
      } while (System.nanoTime() - start < nanos);
      return null;
    }
  }
}
