package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUPPORT_VIRTUAL_THREADS;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Parked;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The end of an action resumes nothing that was suspended for longer meanwhile. */
class LongerThanActionTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  @ParameterizedTest
  @EnumSource
  void allWereSuspendedForLonger(WayIn way) {
    way.of(All.class).run().succeeds();
  }

  static final class All {
    public static void main(String[] args) {
      run(jvmti -> jvmti.threads().suspendAllVirtual(), null);
    }
  }

  @ParameterizedTest
  @EnumSource
  void allWereResumedAndThenOneSuspended(WayIn way) {
    way.of(ResumedAndOne.class).run().succeeds();
  }

  static final class ResumedAndOne {
    public static void main(String[] args) {
      run(jvmti -> jvmti.threads().resumeAllVirtual(), "again");
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneWasResumedAndSuspended(WayIn way) {
    way.of(One.class).run().succeeds();
  }

  static final class One {
    public static void main(String[] args) {
      Counting worker = Counting.platform();
      Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
      run(jvmti, worker, door -> door.threads().resume(worker.thread()), "again");
      run(
          jvmti,
          worker,
          door -> door.threads().resume(java.util.List.of(worker.thread())),
          "again");
      jvmti.close();
    }
  }

  private interface Step {
    void on(Jvmti jvmti);
  }

  private static void run(Step step, String again) {
    if (!Parked.hasVirtualThreads()) {
      return;
    }
    // Not closed: it would wait for ever if this test failed.
    Counting worker = Counting.virtual();
    Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_SUPPORT_VIRTUAL_THREADS);
    run(jvmti, worker, step, again);
    jvmti.close();
  }

  private static void run(Jvmti jvmti, Counting worker, Step step, String again) {
    jvmti
        .threads()
        .withSuspended(
            worker.thread(),
            LONG,
            () -> {
              step.on(jvmti);
              if (again != null) {
                jvmti.threads().suspend(worker.thread());
              }
              return null;
            });
    assertThat(worker.stands()).isTrue();
    jvmti.threads().resume(worker.thread());
    worker.runs();
  }
}
