package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.SuspensionExpiredException;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Parked;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The thread that resumes, where Java can do nothing any more. */
class WatchdogTest {

  private static final Duration SHORT = Duration.ofMillis(200);

  @ParameterizedTest
  @EnumSource
  void twoThreadsThatSuspendEachOtherComeBack(WayIn way) {
    way.of(EachOther.class).run().succeeds().out().contains("rounds " + EachOther.ROUNDS);
  }

  static final class EachOther {

    static final int ROUNDS = 20;

    public static void main(String[] args) throws Exception {
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        for (int round = 0; round < ROUNDS; round++) {
          Thread[] both = new Thread[2];
          CountDownLatch known = new CountDownLatch(2);
          AtOnce.run(
              2,
              number -> {
                both[number] = Thread.currentThread();
                known.countDown();
                known.await();
                suspend(jvmti, both[1 - number]);
              });
        }
        System.out.println("rounds " + ROUNDS);
      }
    }

    /** Both may do it, or only one before it was suspended itself. */
    private static void suspend(Jvmti jvmti, Thread other) {
      try {
        String result = jvmti.threads().withSuspended(other, SHORT, () -> "in time");
        assertThat(result).isEqualTo("in time");
      } catch (SuspensionExpiredException expired) {
        assertThat(expired.threads()).isSubsetOf(other);
      }
    }
  }

  /** On 17 a native thread cannot even attach then, so the watchdog must be there before. */
  @ParameterizedTest
  @EnumSource
  void aSuspendedThreadThatOwnsItsGroupDoesNotKeepTheWatchdogOut(WayIn way) {
    way.of(OwnsItsGroup.class).run().succeeds();
  }

  static final class OwnsItsGroup {
    public static void main(String[] args) {
      CountDownLatch inside = new CountDownLatch(1);
      AtomicBoolean over = new AtomicBoolean();
      ThreadGroup group = Thread.currentThread().getThreadGroup();
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
          Counting worker = Counting.platform()) {
        // The first suspension of this JVM, and it is not a watched one.
        jvmti.threads().suspend(worker.thread());
        jvmti.threads().resume(worker.thread());
        Parked owner =
            Parked.in(() -> holdGroups(group, inside, over), inside, () -> over.set(true));
        jvmti.threads().suspend(owner.thread());
        // No thread can start now, and whatever starts one in a static initialiser cannot be used.
        List<Thread> resumed = List.of();
        try {
          jvmti
              .threads()
              .withSuspended(
                  worker.thread(),
                  SHORT,
                  () -> {
                    worker.runs();
                    return "late";
                  });
        } catch (SuspensionExpiredException expired) {
          resumed = expired.threads();
        } finally {
          jvmti.threads().resume(owner.thread());
          owner.close();
        }
        assertThat(resumed).containsExactly(worker.thread());
      }
    }

    private static void holdGroups(ThreadGroup group, CountDownLatch inside, AtomicBoolean over) {
      synchronized (group) {
        ThreadGroup parent = group.getParent();
        if (parent != null) {
          holdGroups(parent, inside, over);
          return;
        }
        inside.countDown();
        while (!over.get()) {
          Thread.onSpinWait();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void twoThreadsAtTheStaticDoorLeaveNothingBehind(WayIn way) {
    way.of(StaticDoor.class).run().succeeds();
  }

  static final class StaticDoor {

    private static final int PAIRS = 2_000;

    public static void main(String[] args) throws Exception {
      try (Parked first = Parked.inPark();
          Parked second = Parked.inPark()) {
        List<Thread> threads = List.of(first.thread(), second.thread());
        AtOnce.run(
            2,
            number -> {
              Thread thread = threads.get(number);
              for (int i = 0; i < PAIRS; i++) {
                JvmTools.suspendThread(thread);
                assertThat(JvmTools.getThreadState(thread).isSuspended()).isTrue();
                JvmTools.resumeThread(thread);
              }
            });
      }
      assertThat(JvmTools.capabilities().held()).doesNotContain(CAN_SUSPEND);
      try (Jvmti other = Jvmti.open(CAN_SUSPEND)) {
        assertThat(JvmTools.capabilities().heldByOther()).contains(CAN_SUSPEND);
        assertThat(other.capabilities().held()).containsExactly(CAN_SUSPEND);
      }
    }
  }
}
