package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_SIGNAL_THREAD;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.snapshot.SnapshotPoint;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Who hands snapshots over waits a moment for the next one, and may be hindered in that. */
class LingeringErrandTest {

  private static final int ROUNDS = 4;
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  void whileAllOthersAreSuspendedSnapshotsAreHandedOver() {
    child(OthersSuspended.class).run().succeeds();
  }

  static final class OthersSuspended extends Scene {

    public static void main(String[] args) {
      new OthersSuspended().play(CAN_SUSPEND);
    }

    @Override
    void hinder(Jvmti jvmti, SnapshotPoint point) {
      jvmti
          .threads()
          .withOthersSuspended(
              LONG,
              () -> {
                isPassed();
                point.flush();
                return null;
              });
    }
  }

  @Test
  void whileItIsSuspendedAnotherOneHandsOver() {
    child(Suspended.class).run().succeeds();
  }

  static final class Suspended extends Scene {

    public static void main(String[] args) {
      new Suspended().play(CAN_SUSPEND);
    }

    @Override
    void hinder(Jvmti jvmti, SnapshotPoint point) {
      List<Thread> waiting = waiting();
      jvmti.threads().suspend(waiting);
      isPassed();
      point.flush();
      jvmti.threads().resume(waiting);
    }
  }

  @Test
  void whatIsThrownAtItLosesNoSnapshot() {
    child(Thrown.class).run().succeeds();
  }

  static final class Thrown extends Scene {

    public static void main(String[] args) {
      new Thrown().play(CAN_SIGNAL_THREAD);
    }

    @Override
    void hinder(Jvmti jvmti, SnapshotPoint point) {
      for (Thread waits : waiting()) {
        jvmti.threads().stop(waits, new IllegalStateException("thrown at it"));
      }
      isPassed();
    }
  }

  private static ChildJvm child(Class<?> main) {
    return ChildJvm.of(main).agent("prepare=debugging");
  }

  /** Passes, and once more while it is hindered: each time a snapshot is handed over. */
  abstract static class Scene {

    private final AtomicLong handedOver = new AtomicLong();

    static void isPassed() {}

    abstract void hinder(Jvmti jvmti, SnapshotPoint point);

    /** Those that have come back from Java. */
    static List<Thread> waiting() {
      Eventually.isTrue(
          "they wait",
          () -> handingOver().stream().allMatch(thread -> thread.getStackTrace().length == 0));
      return handingOver();
    }

    private static List<Thread> handingOver() {
      return Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().equals("jvmtools-snapshots"))
          .toList();
    }

    void play(Capability own) {
      try (Jvmti jvmti =
              Jvmti.open(own, CAN_ACCESS_LOCAL_VARIABLES, CAN_GENERATE_BREAKPOINT_EVENTS);
          SnapshotPoint point =
              jvmti
                  .snapshots()
                  .at(Scene.class.getName(), "isPassed")
                  .forEach(snapshot -> handedOver.incrementAndGet())) {
        for (int i = 0; i < ROUNDS; i++) {
          isPassed();
          point.flush();
          hinder(jvmti, point);
          long all = 2L * (i + 1);
          Eventually.isTrue("it is handed over", () -> handedOver.get() == all);
        }
        assertThat(point.counts().lost()).isZero();
      }
    }
  }
}
