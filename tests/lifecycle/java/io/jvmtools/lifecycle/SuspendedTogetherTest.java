package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUPPORT_VIRTUAL_THREADS;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.Jvmti;
import io.jvmtools.StalledException;
import io.jvmtools.SuspensionExpiredException;
import io.jvmtools.ThreadSuspendedException;
import io.jvmtools.support.Child;
import io.jvmtools.support.Counting;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.support.Parked;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thread that several have suspended for a time runs when all of them are over. */
@OneJdkADay
class SuspendedTogetherTest {

  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(100);

  @ParameterizedTest
  @EnumSource
  void bySeveralLists(WayIn way) {
    way.of(Lists.class).run().succeeds();
  }

  static final class Lists {

    public static void main(String[] args) throws Exception {
      onEachKind(
          worker -> {
            try (Jvmti jvmti = open();
                Jvmti another = Jvmti.open()) {
              inOrder(worker, new Keeper(jvmti, worker, LONG), new Keeper(jvmti, worker, LONG));
              Keeper second = new Keeper(jvmti, worker, LONG);
              inOrder(worker, new Keeper(jvmti, worker, LONG), second);
              Keeper late = new Keeper(jvmti, worker, SHORT);
              Keeper last = new Keeper(jvmti, worker, LONG);
              late.endsLate();
              assertThat(worker.stands()).isTrue();
              last.ends();
              worker.runs();
              assertThat(another.threads().state(worker.thread()).isSuspended()).isFalse();
            }
          });
    }

    /** Of the two, the one that began first is once the first to end, and once the last. */
    private static void inOrder(Counting worker, Keeper first, Keeper second) throws Exception {
      first.ends();
      assertThat(worker.stands()).isTrue();
      second.ends();
      worker.runs();
    }
  }

  @ParameterizedTest
  @EnumSource
  void byAListAndByAllOthers(WayIn way) {
    way.of(Others.class).run().succeeds();
  }

  static final class Others {

    public static void main(String[] args) throws Exception {
      onEachKind(
          worker -> {
            try (Jvmti jvmti = open()) {
              Keeper late = new Keeper(jvmti, worker, SHORT);
              boolean stood =
                  jvmti
                      .threads()
                      .withOthersSuspended(
                          LONG,
                          () -> {
                            long begun = System.nanoTime();
                            while (System.nanoTime() - begun < SHORT.toNanos()) {
                              Thread.onSpinWait();
                            }
                            return worker.stands();
                          });
              assertThat(stood).isTrue();
              late.endsLate();
              worker.runs();
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoeverResumesItMeanwhileHasResumedItForAll(WayIn way) {
    way.of(Resumed.class).run().succeeds();
  }

  static final class Resumed {

    public static void main(String[] args) throws Exception {
      onEachKind(
          worker -> {
            try (Jvmti jvmti = open()) {
              Keeper one = new Keeper(jvmti, worker, LONG);
              Keeper other = new Keeper(jvmti, worker, LONG);
              jvmti.threads().resume(worker.thread());
              worker.runs();
              jvmti.threads().suspend(worker.thread());
              one.ends();
              other.ends();
              assertThat(worker.stands()).isTrue();
              jvmti.threads().resume(worker.thread());
              worker.runs();
            }
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyKeepsItSuspendedOneAfterTheOther(WayIn way) {
    way.of(InTurn.class).run().succeeds();
  }

  static final class InTurn {

    private static final Duration FIRST = Duration.ofSeconds(5);

    public static void main(String[] args) throws Exception {
      Counting worker = Counting.platform();
      try (Jvmti jvmti = open()) {
        Keeper first = new Keeper(jvmti, worker, FIRST);
        Keeper second = new Keeper(jvmti, worker, LONG);
        first.endsAfter(FIRST);
        // The second has joined the first one, and a third could join the second, and so on.
        assertThatExceptionOfType(StalledException.class)
            .isThrownBy(() -> keep(jvmti, worker, LONG.multipliedBy(2)))
            .withMessageContaining("a thread that is to be suspended");
        assertThatExceptionOfType(ThreadSuspendedException.class)
            .isThrownBy(() -> jvmti.threads().withSuspended(worker.thread(), LONG, () -> null));
        keep(jvmti, worker, FIRST);
        assertThat(worker.stands()).isTrue();
        jvmti.threads().resume(worker.thread());
        worker.runs();
        keep(jvmti, worker, LONG.multipliedBy(2));
        worker.runs();
        second.ends();
        worker.runs();
      }
    }

    private static void keep(Jvmti jvmti, Counting worker, Duration deadline) {
      jvmti.threads().withSuspended(List.of(worker.thread()), deadline, () -> null);
    }
  }

  /** Another thread that keeps the worker suspended until it is told to end. */
  private static final class Keeper {

    private static final ExecutorService POOL = Child.newDaemonPool(8);

    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Future<?> end;

    Keeper(Jvmti jvmti, Counting worker, Duration deadline) throws InterruptedException {
      CountDownLatch begun = new CountDownLatch(1);
      Callable<Void> action =
          () -> {
            begun.countDown();
            mayEnd.await();
            return null;
          };
      List<Thread> list = List.of(worker.thread());
      end = POOL.submit(() -> jvmti.threads().withSuspended(list, deadline, () -> call(action)));
      begun.await();
    }

    void ends() throws Exception {
      mayEnd.countDown();
      end.get();
    }

    /** Its deadline has passed. If the watchdog has not seen that yet, it has ended in time. */
    void endsLate() throws Exception {
      endsAfter(SHORT);
    }

    void endsAfter(Duration deadline) throws Exception {
      long begun = System.nanoTime();
      while (System.nanoTime() - begun < deadline.toNanos()) {
        Thread.onSpinWait();
      }
      mayEnd.countDown();
      try {
        end.get();
      } catch (ExecutionException e) {
        assertThat(e).hasCauseInstanceOf(SuspensionExpiredException.class);
      }
    }

    private static Void call(Callable<Void> action) {
      try {
        return action.call();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private interface Step {
    void on(Counting worker) throws Exception;
  }

  private static void onEachKind(Step step) throws Exception {
    step.on(Counting.platform());
    if (Parked.hasVirtualThreads()) {
      step.on(Counting.virtual());
    }
  }

  private static Jvmti open() {
    return Parked.hasVirtualThreads()
        ? Jvmti.open(CAN_SUSPEND, CAN_SUPPORT_VIRTUAL_THREADS)
        : Jvmti.open(CAN_SUSPEND);
  }
}
