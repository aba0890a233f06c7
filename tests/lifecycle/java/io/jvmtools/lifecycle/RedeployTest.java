package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.support.Child;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Images;
import io.jvmtools.support.LibraryCopy;
import io.jvmtools.support.OneJdkADay;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Applications come and go in one JVM, each with classes of its own. */
@OneJdkADay
class RedeployTest {

  @ParameterizedTest
  @EnumSource
  void aHundredLeaveOneImageOneWatchdogAndAtMostOneLine(WayIn way) {
    ChildResult result = way.of(Hundred.class).run().succeeds();
    result.err().filteredOn(line -> line.contains("JvmTools")).hasSizeLessThanOrEqualTo(1);
  }

  static final class Hundred {

    private static final int ROUNDS = 100;

    public static void main(String[] args) throws Exception {
      deadlock();
      WeakReference<?>[] loaders = new WeakReference<?>[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        loaders[round] = deploy();
        if (round % 10 == 0) {
          System.gc();
        }
      }
      GcUntil.cleared(loaders);
      assertThat(Images.mapped()).hasSize(1);
      assertThat(watchdogs()).isEqualTo(1);
    }

    /** So that all of a dump's code runs. */
    private static void deadlock() {
      CyclicBarrier barrier = new CyclicBarrier(2);
      Object one = new Object();
      Object other = new Object();
      Thread first = new Thread(() -> lock(one, barrier, other));
      Thread second = new Thread(() -> lock(other, barrier, one));
      for (Thread thread : List.of(first, second)) {
        thread.setDaemon(true);
        thread.start();
      }
      for (Thread thread : List.of(first, second)) {
        Eventually.isTrue("is blocked", () -> thread.getState() == Thread.State.BLOCKED);
      }
    }

    private static void lock(Object mine, CyclicBarrier barrier, Object others) {
      synchronized (mine) {
        try {
          barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
          throw new AssertionError(e);
        }
        synchronized (others) {
          throw new AssertionError("no deadlock");
        }
      }
    }
  }

  @Test
  void theWatchdogBelongsToNobody() {
    assertThat(ChildJvm.of(Watchdog.class).run().succeeds().line("group ")).isEqualTo("main");
  }

  static final class Watchdog {
    public static void main(String[] args) throws Exception {
      GcUntil.cleared(deploy());
      Thread watchdog =
          Thread.getAllStackTraces().keySet().stream()
              .filter(RedeployTest::isWatchdog)
              .findAny()
              .orElseThrow();
      Child.say("group " + watchdog.getThreadGroup().getName());
    }
  }

  /** One application: a thread of its own group and class loader is the first that wants a dump. */
  private static WeakReference<?> deploy() throws Exception {
    try (LibraryCopy copy = new LibraryCopy()) {
      FutureTask<Integer> dump = new FutureTask<>(() -> copy.call(Work.class));
      Thread worker = new Thread(new ThreadGroup("application"), dump);
      worker.setContextClassLoader(copy);
      worker.start();
      assertThat(dump.get()).isPositive();
      worker.join();
      return new WeakReference<>(copy);
    }
  }

  static final class Work implements Callable<Integer> {
    @Override
    public Integer call() {
      return JvmTools.threadDump().toString().length();
    }
  }

  private static long watchdogs() {
    return Thread.getAllStackTraces().keySet().stream().filter(RedeployTest::isWatchdog).count();
  }

  private static boolean isWatchdog(Thread thread) {
    return thread.getName().equals("jvmtools-watchdog");
  }
}
