package io.jvmtools.functions.snapshot;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.snapshot.Snapshot;
import io.jvmtools.snapshot.SnapshotPlan;
import io.jvmtools.snapshot.SnapshotPoint;
import io.jvmtools.support.ChildJvm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Snapshots of threads with no stack left, that are being made, and of the library's own. */
@Tag(UnderTheAgentTest.ONCE)
class UnusualSnapshotsTest {

  private static void run(Class<?> program, String last) {
    ChildJvm.of(program).agent("prepare=debugging").run().succeeds().out().contains(last);
  }

  private static Jvmti open() {
    return Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_ACCESS_LOCAL_VARIABLES);
  }

  private static SnapshotPlan all(SnapshotPlan plan) {
    return plan.limit(1_000_000).perSecond(1_000_000);
  }

  @Test
  void whoseStackOverflowsThereIsNotWaitedForAnyMore() {
    run(Overflow.class, "flushed");
  }

  /** What the child runs. */
  static final class Overflow {

    /** Of different lengths, so that it ends in different places. */
    private static final int STACKS = 2;

    private Overflow() {}

    private static int deeper(int depth) {
      return deeper(depth + 1) + 1;
    }

    private static void overflow() {
      try {
        deeper(0);
      } catch (StackOverflowError expected) {
        // That is what this is about.
      }
    }

    public static void main(String[] args) throws Exception {
      try (Jvmti jvmti = open();
          SnapshotPoint point =
              all(jvmti.snapshots().at(Overflow.class.getName(), "deeper"))
                  .frames(3)
                  .forEach(snapshot -> {})) {
        for (int i = 0; i < STACKS; i++) {
          Thread thread = new Thread(null, Overflow::overflow, "overflow", 300_000 + i * 4_096L);
          thread.start();
          thread.join();
          point.flush();
        }
        assertThat(point.counts().taken()).isPositive();
      }
      System.out.println("flushed");
    }
  }

  @Test
  void aThreadThatIsBeingMadeHasNoName() {
    run(Made.class, "made");
  }

  /** What the child runs. */
  static final class Made {

    private Made() {}

    public static void main(String[] args) throws Exception {
      List<Snapshot> taken = Collections.synchronizedList(new ArrayList<>());
      List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
      try (Jvmti jvmti = open();
          SnapshotPoint point =
              all(jvmti.snapshots().at(Thread.class.getName(), "<init>"))
                  .onError(thrown::add)
                  .forEach(taken::add)) {
        Thread thread = new Thread(() -> {}, "mine");
        thread.start();
        thread.join();
        point.flush();
      }
      assertThat(thrown).isEmpty();
      String all = taken.toString();
      assertThat(all).contains("this = null").contains("= \"mine\"");
      System.out.println("made");
    }
  }

  @Test
  void nobodyIsToldOfTheThreadThatHandsThemOver() {
    run(Started.class, "of the application alone");
  }

  /** What the child runs. */
  static final class Started {

    private Started() {}

    private static int pass(int number) {
      return number + 1;
    }

    public static void main(String[] args) throws InterruptedException {
      List<String> told = Collections.synchronizedList(new ArrayList<>());
      try (Jvmti jvmti = open();
          SnapshotPoint point =
              all(jvmti.snapshots().at(Started.class.getName(), "pass")).forEach(snapshot -> {});
          Subscription starts =
              jvmti
                  .events()
                  .on(
                      EventTypes.THREAD_START,
                      event -> {
                        point.flush();
                        told.add(event.thread().getName());
                      })) {
        pass(1);
        point.flush();
        Thread thread = new Thread(() -> {}, "mine");
        thread.start();
        thread.join();
        assertThat(point.counts().taken()).isEqualTo(1);
        assertThat(starts.counts().failed()).isZero();
        assertThat(told).contains("mine").doesNotContain("jvmtools-snapshots");
      }
      System.out.println("of the application alone");
    }
  }
}
