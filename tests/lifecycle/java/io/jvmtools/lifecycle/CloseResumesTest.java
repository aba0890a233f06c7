package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUPPORT_VIRTUAL_THREADS;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.support.Child;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.support.Parked;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What an environment has suspended runs again when the environment is gone. */
@OneJdkADay
class CloseResumesTest {

  @ParameterizedTest
  @EnumSource
  void closingResumes(WayIn way) {
    way.of(Close.class).run().succeeds();
  }

  static final class Close {
    public static void main(String[] args) {
      try (Counting one = Counting.platform();
          Counting inList = Counting.platform();
          Counting resumed = Counting.platform()) {
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
        jvmti.threads().suspend(one.thread());
        jvmti.threads().suspend(List.of(inList.thread(), resumed.thread()));
        jvmti.threads().resume(resumed.thread());
        assertThat(one.stands()).isTrue();
        assertThat(inList.stands()).isTrue();
        Jvmti.open(CAN_TAG_OBJECTS).close();
        assertThat(one.stands()).as("another one was closed").isTrue();
        jvmti.close();
        one.runs();
        inList.runs();
        resumed.runs();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingResumesVirtualThreads(WayIn way) {
    way.of(CloseVirtual.class).run().succeeds();
  }

  static final class CloseVirtual {
    public static void main(String[] args) {
      if (!Parked.hasVirtualThreads()) {
        return;
      }
      try (Counting one = Counting.virtual();
          Counting all = Counting.virtual()) {
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
        jvmti.threads().suspend(one.thread());
        assertThat(one.stands()).isTrue();
        jvmti.close();
        one.runs();

        jvmti = Jvmti.open(CAN_SUSPEND, CAN_SUPPORT_VIRTUAL_THREADS);
        jvmti.threads().suspendAllVirtual();
        assertThat(one.stands()).isTrue();
        assertThat(all.stands()).isTrue();
        // To resume them all takes it, too.
        jvmti.relinquish(CAN_SUPPORT_VIRTUAL_THREADS);
        jvmti.close();
        one.runs();
        all.runs();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingResumesAThreadThatSuspendedItself(WayIn way) {
    way.of(CloseSelf.class).run().succeeds();
  }

  static final class CloseSelf {
    public static void main(String[] args) throws InterruptedException {
      Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread thread =
          new Thread(() -> jvmti.threads().suspend(Thread.currentThread()), "suspends itself");
      thread.setUncaughtExceptionHandler((of, exception) -> thrown.set(exception));
      thread.start();
      Eventually.isTrue("it is suspended", () -> JvmTools.getThreadState(thread).isSuspended());
      jvmti.close();
      thread.join();
      assertThat(thrown.get()).isNull();
      Jvmti.open(CAN_SUSPEND).close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingResumesWhatIsSuspendedWhileAnotherThreadResumes(WayIn way) {
    way.of(CloseAfterRace.class).run().succeeds();
  }

  @ParameterizedTest
  @EnumSource
  void closingResumesAllVirtualThreadsSuspendedWhileAnotherThreadResumes(WayIn way) {
    way.of(CloseAfterRace.class).args("virtual").run().succeeds();
  }

  static final class CloseAfterRace {

    private static final int ROUNDS = 2_000;
    private static final int THREADS = 3;

    public static void main(String[] args) throws Exception {
      boolean virtual = args.length > 0;
      if (virtual && !Parked.hasVirtualThreads()) {
        return;
      }
      ExecutorService pool = Child.newDaemonPool(THREADS);
      // Not closed: it would wait for ever if this test failed.
      Thread target = (virtual ? Parked.virtual() : Parked.inPark()).thread();
      for (int round = 0; round < ROUNDS; round++) {
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
        if (virtual) {
          jvmti.add(CAN_SUPPORT_VIRTUAL_THREADS);
        }
        assertThat(suspend(jvmti, target, virtual)).isTrue();
        List<Future<?>> calls = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          boolean resumes = i == 0;
          calls.add(pool.submit(() -> once(jvmti, target, virtual, resumes)));
        }
        for (Future<?> call : calls) {
          call.get();
        }
        jvmti.close();
        assertThat(JvmTools.getThreadState(target).isSuspended()).as("round " + round).isFalse();
      }
    }

    /** One resumes what is suspended, the others suspend it at once again. */
    private static void once(Jvmti jvmti, Thread target, boolean virtual, boolean resumes) {
      for (int i = 0; i < 200; i++) {
        if (resumes ? resume(jvmti, target, virtual) : suspend(jvmti, target, virtual)) {
          return;
        }
      }
    }

    private static boolean suspend(Jvmti jvmti, Thread target, boolean virtual) {
      if (!virtual) {
        return jvmti.threads().suspend(List.of(target)).isEmpty();
      }
      jvmti.threads().suspendAllVirtual();
      return true;
    }

    private static boolean resume(Jvmti jvmti, Thread target, boolean virtual) {
      if (!virtual) {
        return jvmti.threads().resume(List.of(target)).isEmpty();
      }
      jvmti.threads().resumeAllVirtual();
      return true;
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatAForgottenEnvironmentHasSuspendedRunsAgain(WayIn way) {
    way.of(Forget.class).run().succeeds();
  }

  static final class Forget {
    public static void main(String[] args) {
      try (Counting worker = Counting.platform()) {
        WeakReference<Jvmti> forgotten = suspendAndForget(worker.thread());
        assertThat(worker.stands()).isTrue();
        GcUntil.cleared(forgotten);
        // Opening one looks for those that are gone.
        Jvmti.open().close();
        worker.runs();
        Jvmti.open(CAN_SUSPEND).close();
      }
    }

    private static WeakReference<Jvmti> suspendAndForget(Thread thread) {
      Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
      jvmti.threads().suspend(thread);
      return new WeakReference<>(jvmti);
    }
  }
}
