package io.jvmtools.functions.thread;

import static io.jvmtools.Capability.CAN_SUPPORT_VIRTUAL_THREADS;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.NotSupportedException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.ThreadSuspendedException;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.thread.SuspensionNatives;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SuspendThread, ResumeThread, their lists, and those for all virtual threads. */
class SuspendTest {

  private static final int SUSPENDED = 0x100000;
  private static final JvmtiError NOT_ALIVE = JvmtiError.of(15);
  private static final JvmtiError ALREADY = JvmtiError.of(14);
  private static final JvmtiError NOT_SUSPENDED = JvmtiError.of(13);

  /** The same functions, asked of an environment and of the static door. */
  enum Door {
    FACET {
      @Override
      void suspend(Jvmti jvmti, Thread thread) {
        jvmti.add(CAN_SUSPEND);
        jvmti.threads().suspend(thread);
      }

      @Override
      void resume(Jvmti jvmti, Thread thread) {
        jvmti.add(CAN_SUSPEND);
        jvmti.threads().resume(thread);
      }

      @Override
      Map<Thread, JvmtiError> suspend(Jvmti jvmti, Collection<Thread> threads) {
        jvmti.add(CAN_SUSPEND);
        return jvmti.threads().suspend(threads);
      }

      @Override
      Map<Thread, JvmtiError> resume(Jvmti jvmti, Collection<Thread> threads) {
        jvmti.add(CAN_SUSPEND);
        return jvmti.threads().resume(threads);
      }
    },
    STATIC {
      @Override
      void suspend(Jvmti jvmti, Thread thread) {
        JvmTools.suspendThread(thread);
      }

      @Override
      void resume(Jvmti jvmti, Thread thread) {
        JvmTools.resumeThread(thread);
      }

      @Override
      Map<Thread, JvmtiError> suspend(Jvmti jvmti, Collection<Thread> threads) {
        return JvmTools.suspendThreadList(threads);
      }

      @Override
      Map<Thread, JvmtiError> resume(Jvmti jvmti, Collection<Thread> threads) {
        return JvmTools.resumeThreadList(threads);
      }
    };

    abstract void suspend(Jvmti jvmti, Thread thread);

    abstract void resume(Jvmti jvmti, Thread thread);

    abstract Map<Thread, JvmtiError> suspend(Jvmti jvmti, Collection<Thread> threads);

    abstract Map<Thread, JvmtiError> resume(Jvmti jvmti, Collection<Thread> threads);
  }

  @ParameterizedTest
  @EnumSource
  void aRunningThreadStandsUntilItIsResumed(Door door) {
    try (Counting worker = Counting.platform();
        Jvmti jvmti = Jvmti.open()) {
      Thread thread = worker.thread();
      assertThat(bits(thread)).isEqualTo(0x5);
      door.suspend(jvmti, thread);
      assertThat(bits(thread)).isEqualTo(0x100005);
      assertThat(worker.stands()).isTrue();
      assertRefused(
          ThreadSuspendedException.class, 14, "SuspendThread", () -> door.suspend(jvmti, thread));
      assertThatThrownBy(() -> door.suspend(jvmti, thread))
          .hasMessageContaining("can be suspended again once whoever did that has resumed it");
      assertThat(bits(thread)).isEqualTo(0x100005);
      door.resume(jvmti, thread);
      worker.runs();
      assertThat(bits(thread)).isEqualTo(0x5);
      assertRefused(
          ThreadNotSuspendedException.class, 13, "ResumeThread", () -> door.resume(jvmti, thread));
      worker.runs();
    }
  }

  @Test
  void aThreadThatSleepsOrWaitsIsSuspendedToo() {
    try (Parked sleeping = Parked.inSleep();
        Parked parked = Parked.inPark();
        Parked waiting = Parked.inWait();
        Parked blocked = Parked.onMonitor();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      assertSuspendable(jvmti, sleeping.thread(), 0xe1);
      assertSuspendable(jvmti, parked.thread(), 0x291);
      assertSuspendable(jvmti, waiting.thread(), 0x191);
      assertSuspendable(jvmti, blocked.thread(), 0x401);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aVirtualThreadThatIsParkedIsSuspendedToo() {
    try (Parked worker = Parked.virtual();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      Thread thread = worker.thread();
      assertThat(bits(thread)).isEqualTo(0x291);
      jvmti.threads().suspend(thread);
      assertThat(bits(thread)).isEqualTo(Installation.feature() < 25 ? 0x100295 : 0x100291);
      assertRefused(
          ThreadSuspendedException.class,
          14,
          "SuspendThread",
          () -> jvmti.threads().suspend(thread));
      jvmti.threads().resume(thread);
      assertThat(bits(thread)).isEqualTo(0x291);
      assertRefused(
          ThreadNotSuspendedException.class,
          13,
          "ResumeThread",
          () -> jvmti.threads().resume(thread));
    }
  }

  @ParameterizedTest
  @EnumSource
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aVirtualThreadThatRunsStandsUntilItIsResumed(Door door) {
    try (Counting worker = Counting.virtual();
        Counting other = Counting.virtual();
        Jvmti jvmti = Jvmti.open()) {
      door.suspend(jvmti, worker.thread());
      assertThat(JvmTools.getThreadState(worker.thread()).isSuspended()).isTrue();
      assertThat(worker.stands()).isTrue();
      other.runs();
      door.resume(jvmti, worker.thread());
      worker.runs();
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aVirtualThreadRunsOnASuspendedCarrier() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    AtomicLong count = new AtomicLong();
    AtomicBoolean over = new AtomicBoolean();
    Thread worker =
        VirtualThreads.start(
            "never leaves its carrier",
            () -> {
              inside.countDown();
              while (!over.get()) {
                count.incrementAndGet();
              }
            });
    try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      inside.await();
      List<Thread> carriers =
          JvmTools.getAllThreads().stream()
              .filter(thread -> thread.getClass().getSimpleName().equals("CarrierThread"))
              .toList();
      assertThat(carriers).isNotEmpty();
      assertThat(jvmti.threads().suspend(carriers)).isEmpty();
      long before = count.get();
      Eventually.isTrue("it runs on", () -> count.get() != before);
      assertThat(JvmTools.getThreadState(worker).isSuspended()).isFalse();
      assertThat(jvmti.threads().resume(carriers)).isEmpty();
    } finally {
      over.set(true);
      worker.join();
    }
  }

  @ParameterizedTest
  @EnumSource
  void newAndDeadThreadsCannotBeSuspendedOrResumed(Door door) {
    try (Jvmti jvmti = Jvmti.open()) {
      for (Thread thread : List.of(Parked.unstarted(), Parked.ended())) {
        int before = bits(thread);
        assertRefused(
            ThreadNotAliveException.class, 15, "SuspendThread", () -> door.suspend(jvmti, thread));
        assertRefused(
            ThreadNotAliveException.class, 15, "ResumeThread", () -> door.resume(jvmti, thread));
        assertThat(bits(thread)).isEqualTo(before);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aListSaysWhichThreadsWereRefusedAndWhy(Door door) {
    Thread ended = Parked.ended();
    Thread unstarted = Parked.unstarted();
    try (Counting first = Counting.platform();
        Counting second = Counting.platform();
        Parked third = Parked.inPark();
        Jvmti jvmti = Jvmti.open()) {
      List<Thread> all = List.of(ended, first.thread(), third.thread(), unstarted, second.thread());
      door.suspend(jvmti, third.thread());
      Map<Thread, JvmtiError> refused = door.suspend(jvmti, all);
      assertThat(refused)
          .containsExactly(
              entry(ended, NOT_ALIVE), entry(third.thread(), ALREADY), entry(unstarted, NOT_ALIVE));
      assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(refused::clear);
      assertThat(first.stands()).isTrue();
      assertThat(second.stands()).isTrue();

      door.resume(jvmti, first.thread());
      assertThat(door.resume(jvmti, all))
          .containsExactly(
              entry(ended, NOT_ALIVE),
              entry(first.thread(), NOT_SUSPENDED),
              entry(unstarted, NOT_ALIVE));
      first.runs();
      second.runs();
      assertThat(bits(third.thread())).isEqualTo(0x291);
      assertThat(door.suspend(jvmti, List.of())).isEmpty();
      assertThat(door.resume(jvmti, List.of())).isEmpty();
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aListCanHaveVirtualThreads() {
    try (Counting platform = Counting.platform();
        Counting virtual = Counting.virtual();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      List<Thread> both = List.of(platform.thread(), virtual.thread());
      assertThat(jvmti.threads().suspend(both)).isEmpty();
      assertThat(platform.stands()).isTrue();
      assertThat(virtual.stands()).isTrue();
      assertThat(jvmti.threads().resume(both)).isEmpty();
      platform.runs();
      virtual.runs();
    }
  }

  @Test
  void aListWithANullIsRefusedBeforeAnythingIsSuspended() {
    try (Counting worker = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      List<Thread> threads = Arrays.asList(worker.thread(), null);
      assertThatNullPointerException()
          .isThrownBy(() -> jvmti.threads().suspend(threads))
          .withMessage("threads[1]");
      assertThatNullPointerException()
          .isThrownBy(() -> jvmti.threads().resume(threads))
          .withMessage("threads[1]");
      worker.runs();
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void allVirtualThreadsStandButThoseExcepted() {
    try (Counting first = Counting.virtual();
        Counting excepted = Counting.virtual();
        Counting platform = Counting.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_SUPPORT_VIRTUAL_THREADS)) {
      jvmti.threads().suspendAllVirtual(excepted.thread());
      assertThat(first.stands()).isTrue();
      excepted.runs();
      platform.runs();

      AtomicBoolean started = new AtomicBoolean();
      Thread later = VirtualThreads.start("later", () -> started.set(true));
      // It may keep the last carrier that others could run on.
      assertThat(first.stands()).isTrue();
      assertThat(started).isFalse();

      jvmti.threads().suspendAllVirtual();
      assertThat(excepted.stands()).isTrue();
      jvmti.threads().resumeAllVirtual(first.thread());
      excepted.runs();
      assertThat(first.stands()).isTrue();
      Eventually.isTrue("the later one has started", started::get);
      Eventually.isTrue("the later one has ended", () -> !later.isAlive());
      jvmti.threads().resume(first.thread());
      first.runs();
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void allVirtualThreadsStandForTheStaticDoorToo() {
    try (Counting worker = Counting.virtual()) {
      JvmTools.suspendAllVirtualThreads();
      boolean stands = worker.stands();
      JvmTools.resumeAllVirtualThreads();
      assertThat(stands).isTrue();
      worker.runs();
    }
    assertThat(JvmTools.capabilities().held())
        .contains(CAN_SUPPORT_VIRTUAL_THREADS)
        .doesNotContain(CAN_SUSPEND);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void onlyVirtualThreadsCanBeExcepted() {
    try (Counting worker = Counting.virtual();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_SUPPORT_VIRTUAL_THREADS)) {
      Thread platform = Thread.currentThread();
      assertRefused(
          JvmtiException.class,
          10,
          "SuspendAllVirtualThreads",
          () -> jvmti.threads().suspendAllVirtual(platform));
      assertRefused(
          JvmtiException.class,
          10,
          "ResumeAllVirtualThreads",
          () -> jvmti.threads().resumeAllVirtual(platform));
      worker.runs();
    }
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_20, disabledReason = "virtual threads came with JDK 21")
  void withoutVirtualThreadsTheyCannotBeSuspended() {
    try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      assertThatExceptionOfType(NotSupportedException.class)
          .isThrownBy(() -> jvmti.threads().suspendAllVirtual());
      assertThatExceptionOfType(NotSupportedException.class)
          .isThrownBy(() -> jvmti.threads().resumeAllVirtual());
    }
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> JvmTools.suspendAllVirtualThreads(), () -> JvmTools.resumeAllVirtualThreads())) {
      assertThatExceptionOfType(MissingCapabilityException.class)
          .isThrownBy(call)
          .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.NEVER_ON_THIS_VM));
    }
    assertThat(JvmTools.capabilities().held()).doesNotContain(CAN_SUSPEND);
  }

  @ParameterizedTest
  @EnumSource
  void aThreadCanSuspendItselfUntilAnotherResumesIt(Door door) throws InterruptedException {
    try (Jvmti jvmti = Jvmti.open()) {
      for (boolean inList : new boolean[] {false, true}) {
        AtomicBoolean back = new AtomicBoolean();
        Counting other = Counting.platform();
        Thread thread =
            new Thread(
                () -> {
                  Thread self = Thread.currentThread();
                  if (inList) {
                    door.suspend(jvmti, List.of(self, other.thread()));
                  } else {
                    door.suspend(jvmti, self);
                  }
                  back.set(true);
                },
                "suspends itself");
        thread.start();
        Eventually.isTrue("it is suspended", () -> (bits(thread) & SUSPENDED) != 0);
        if (inList) {
          assertThat(other.stands()).as("what is after it in the list").isTrue();
        } else {
          other.runs();
        }
        assertThat(back).isFalse();
        assertThat(door.resume(jvmti, List.of(thread))).isEmpty();
        thread.join();
        assertThat(back).isTrue();
        door.resume(jvmti, List.of(other.thread()));
        other.close();
      }
    }
  }

  @Test
  void ourOwnThreadsCannotBeSuspended() {
    try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      Thread[] ours = SuspensionNatives.ownThreads(GeneralNatives.metadata());
      assertThat(ours)
          .extracting(Thread::getName)
          .containsExactly("jvmtools-watchdog", "jvmtools-steward");
      assertThat(JvmTools.getAllThreads()).contains(ours);
      for (Thread own : ours) {
        assertThat(own.isDaemon()).isTrue();
        for (ThrowingCallable call :
            List.<ThrowingCallable>of(
                () -> jvmti.threads().suspend(own), () -> jvmti.threads().suspend(List.of(own)))) {
          assertThatIllegalArgumentException()
              .isThrownBy(call)
              .withMessageContaining(own.getName());
        }
        assertThat(JvmTools.getThreadState(own).isSuspended()).isFalse();
      }
    }
  }

  @Test
  void suspensionNeedsItsCapability() {
    Thread thread = Thread.currentThread();
    try (Jvmti bare = Jvmti.open()) {
      Stream.<ThrowingCallable>of(
              () -> bare.threads().suspend(thread),
              () -> bare.threads().resume(thread),
              () -> bare.threads().suspend(List.of(thread)),
              () -> bare.threads().resume(List.of(thread)))
          .forEach(call -> assertMissing(call, CAN_SUSPEND, Reason.NOT_REQUESTED));
    }
  }

  @Test
  void theStaticDoorHoldsTheCapabilityAsLongAsItHasSuspendedThreads() {
    try (Counting worker = Counting.platform()) {
      JvmTools.suspendThread(worker.thread());
      assertThat(JvmTools.capabilities().held()).contains(CAN_SUSPEND);
      assertMissing(() -> Jvmti.open(CAN_SUSPEND), CAN_SUSPEND, Reason.HELD_BY_ANOTHER_ENVIRONMENT);
      JvmTools.resumeThread(worker.thread());
      worker.runs();
      assertThat(JvmTools.capabilities().held()).doesNotContain(CAN_SUSPEND);
      try (Jvmti other = Jvmti.open(CAN_SUSPEND)) {
        assertThat(other.capabilities().held()).containsExactly(CAN_SUSPEND);
        Stream.<ThrowingCallable>of(
                () -> JvmTools.suspendThread(worker.thread()),
                () -> JvmTools.resumeThread(worker.thread()),
                () -> JvmTools.suspendThreadList(List.of(worker.thread())),
                () -> JvmTools.resumeThreadList(List.of(worker.thread())))
            .forEach(call -> assertMissing(call, CAN_SUSPEND, Reason.HELD_BY_ANOTHER_ENVIRONMENT));
      }
      assertThatThrownBy(() -> JvmTools.resumeThread(worker.thread()))
          .isInstanceOf(ThreadNotSuspendedException.class);
    }
  }

  private static void assertSuspendable(Jvmti jvmti, Thread thread, int bits) {
    assertThat(bits(thread)).isEqualTo(bits);
    jvmti.threads().suspend(thread);
    assertThat(bits(thread)).isEqualTo(bits | SUSPENDED);
    jvmti.threads().resume(thread);
    assertThat(bits(thread)).isEqualTo(bits);
  }

  private static void assertRefused(
      Class<? extends JvmtiException> type, int code, String function, ThrowingCallable call) {
    assertThatExceptionOfType(type)
        .isThrownBy(call)
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.function()).isEqualTo(function);
            });
  }

  private static void assertMissing(ThrowingCallable call, Capability capability, Reason reason) {
    assertThatExceptionOfType(MissingCapabilityException.class)
        .isThrownBy(call)
        .satisfies(
            e -> {
              assertThat(e.capability()).isEqualTo(capability);
              assertThat(e.reason()).isEqualTo(reason);
            });
  }

  private static int bits(Thread thread) {
    return JvmTools.getThreadState(thread).bits();
  }
}
