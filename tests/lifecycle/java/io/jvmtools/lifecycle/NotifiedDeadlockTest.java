package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.support.Eventually;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A deadlock of which one was notified, and wants its monitor back, is one that the JDK's bean does
 * not find.
 */
class NotifiedDeadlockTest {

  @ParameterizedTest
  @EnumSource
  void itIsFound(WayIn way) {
    way.of(Deadlocked.class).run().succeeds();
  }

  static final class Deadlocked {

    public static void main(String[] args) throws Exception {
      Object held = new Object();
      ReentrantLock lock = new ReentrantLock();
      List<Thread> overMonitors =
          deadlocked(
              action -> {
                synchronized (held) {
                  action.run();
                }
              },
              Thread.State.BLOCKED);
      List<Thread> overALock =
          deadlocked(
              action -> {
                lock.lock();
                action.run();
              },
              Thread.State.WAITING);
      assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads()).isNull();
      check(JvmTools.threadDump(), overMonitors, overALock);
      check(
          JvmTools.threadDump(DumpOptions.defaults().withoutSuspension()), overMonitors, overALock);
      System.exit(0);
    }

    /** Does something while it holds what the other one wants. */
    private interface Held {
      void during(Runnable action);
    }

    /** Two threads: the one that waits to be notified holds something, which the notifier wants. */
    private static List<Thread> deadlocked(Held held, Thread.State wants) throws Exception {
      Object monitor = new Object();
      CountDownLatch waits = new CountDownLatch(1);
      Thread waiter =
          start(
              () ->
                  held.during(
                      () -> {
                        synchronized (monitor) {
                          waits.countDown();
                          awaitNotification(monitor);
                        }
                      }));
      waits.await();
      Thread notifier =
          start(
              () -> {
                synchronized (monitor) {
                  monitor.notifyAll();
                  held.during(LockSupport::park);
                }
              });
      Eventually.isTrue(
          "both are blocked",
          () -> waiter.getState() == Thread.State.BLOCKED && notifier.getState() == wants);
      return List.of(waiter, notifier);
    }

    private static Thread start(Runnable action) {
      Thread thread = new Thread(action);
      thread.setDaemon(true);
      thread.start();
      return thread;
    }

    private static void awaitNotification(Object monitor) {
      try {
        monitor.wait();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @SafeVarargs
    private static void check(ThreadDump dump, List<Thread>... deadlocks) {
      assertThat(dump.deadlocksKnown()).isTrue();
      assertThat(dump.deadlocks())
          .extracting(one -> one.threads().stream().map(DumpedThread::id).sorted().toList())
          .containsExactlyInAnyOrder(
              List.of(deadlocks[0].get(0).getId(), deadlocks[0].get(1).getId()),
              List.of(deadlocks[1].get(0).getId(), deadlocks[1].get(1).getId()));
    }
  }
}
