package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.support.Counting;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.support.Parked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A thread that stood still for an action was resumed by somebody, who has not come back from that
 * yet, and then suspended for longer: the end of the action does not resume it.
 */
@OneJdkADay
class ResumedAndSuspendedTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  /** So many that whoever resumes them is slow to come back. */
  private static final int MANY = 2_000;

  private static final int ROUNDS = 20;

  @ParameterizedTest
  @EnumSource
  void untilSomebodyResumesIt(WayIn way) {
    way.of(ForGood.class).run(LONG).succeeds();
  }

  static final class ForGood {
    public static void main(String[] args) throws Exception {
      try (Scene scene = new Scene()) {
        for (int round = 0; round < ROUNDS; round++) {
          scene.standAndResume();
          scene.jvmti.threads().suspend(scene.worker.thread());
          scene.endAction();
          assertThat(scene.worker.stands()).as("round " + round).isTrue();
          scene.jvmti.threads().resume(scene.worker.thread());
          scene.endResuming();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void forAnotherAction(WayIn way) {
    way.of(ForAnother.class).run().succeeds();
  }

  static final class ForAnother {
    public static void main(String[] args) throws Exception {
      try (Scene scene = new Scene()) {
        for (int round = 0; round < ROUNDS; round++) {
          scene.standAndResume();
          boolean stood =
              scene
                  .jvmti
                  .threads()
                  .withSuspended(
                      scene.worker.thread(),
                      LONG,
                      () -> {
                        scene.endAction();
                        return scene.worker.stands();
                      });
          assertThat(stood).as("round " + round).isTrue();
          scene.worker.runs();
          scene.endResuming();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoeverResumesItMeanwhileIsRight(WayIn way) {
    way.of(Resumed.class).run().succeeds();
  }

  /** A thread suspends itself and another resumes it, while others are suspended for moments. */
  static final class Resumed {

    private static final int TIMES = 20_000;

    /** Whoever is resumed goes on at once; nobody waits for as long. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    public static void main(String[] args) throws Exception {
      AtomicInteger goneOn = new AtomicInteger();
      AtomicBoolean over = new AtomicBoolean();
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
          Parked other = Parked.inPark()) {
        Thread sampler =
            start(() -> jvmti.threads().withSuspended(other.thread(), LONG, () -> null), over);
        Thread worker =
            start(
                () -> {
                  jvmti.threads().suspend(Thread.currentThread());
                  goneOn.incrementAndGet();
                },
                over);
        for (int times = 0; times < TIMES; times++) {
          while (!jvmti.threads().state(worker).isSuspended()) {
            Thread.onSpinWait();
          }
          jvmti.threads().resume(worker);
          long deadline = System.nanoTime() + PATIENCE.toNanos();
          while (goneOn.get() == times) {
            assertThat(System.nanoTime()).as("resume " + times + " is lost").isLessThan(deadline);
            Thread.onSpinWait();
          }
        }
        over.set(true);
        sampler.join();
      }
    }

    private static Thread start(Runnable body, AtomicBoolean over) {
      Thread thread =
          new Thread(
              () -> {
                while (!over.get()) {
                  body.run();
                }
              });
      thread.setDaemon(true);
      thread.start();
      return thread;
    }
  }

  /** Many threads and one that counts; one who acts while all stand still, and one who resumes. */
  private static final class Scene implements AutoCloseable {

    final Counting worker = Counting.platform();
    final Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
    private final List<Parked> parked = new ArrayList<>();
    private final List<Thread> all = new ArrayList<>();
    private CountDownLatch over = new CountDownLatch(0);
    private Thread acts = new Thread();
    private Thread resumes = new Thread();

    Scene() {
      for (int i = 0; i < MANY; i++) {
        parked.add(Parked.inPark());
        all.add(parked.get(i).thread());
      }
      all.add(worker.thread());
      Collections.reverse(all);
    }

    /** Returns when the worker runs again, and hardly anybody else. */
    void standAndResume() throws InterruptedException {
      over = new CountDownLatch(1);
      CountDownLatch stand = new CountDownLatch(1);
      acts = new Thread(() -> act(stand), "acts");
      acts.start();
      stand.await();
      long before = worker.count();
      resumes = new Thread(() -> jvmti.threads().resume(all), "resumes");
      resumes.start();
      while (worker.count() == before) {
        Thread.onSpinWait();
      }
    }

    private void act(CountDownLatch stand) {
      jvmti
          .threads()
          .withSuspended(
              all,
              LONG,
              () -> {
                stand.countDown();
                awaitOver();
                return null;
              });
    }

    private void awaitOver() {
      try {
        over.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    void endAction() {
      over.countDown();
      join(acts);
    }

    void endResuming() {
      join(resumes);
    }

    private static void join(Thread thread) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      jvmti.close();
      worker.close();
      parked.forEach(Parked::close);
    }
  }
}
