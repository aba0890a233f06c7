package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.JvmTools;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A deadlock over monitors of virtual threads is found, or a dump says that it may be there. */
class VirtualDeadlockTest {

  @ParameterizedTest
  @EnumSource
  void itIsFoundOrNotKnown(WayIn way) {
    assumeTrue(Parked.hasVirtualThreads(), "there are virtual threads from JDK 21 on");
    way.of(Deadlocked.class).args(way.name()).run().succeeds();
  }

  static final class Deadlocked {

    public static void main(String[] args) throws Exception {
      assertThat(JvmTools.threadDump().deadlocks()).as("nobody is blocked").isEmpty();
      Object a = new Object();
      Object b = new Object();
      CountDownLatch both = new CountDownLatch(2);
      Thread first = Parked.startVirtual(() -> enter(a, b, both));
      Thread second = Parked.startVirtual(() -> enter(b, a, both));
      Eventually.isTrue(
          "they are blocked",
          () ->
              first.getState() == Thread.State.BLOCKED
                  && second.getState() == Thread.State.BLOCKED);
      boolean isAgent = args[0].equals(WayIn.AGENT.name());
      check(JvmTools.threadDump(), isAgent);
      // From 23 on only a thread that is suspended tells what it owns.
      check(
          JvmTools.threadDump(DumpOptions.defaults().withoutSuspension()),
          isAgent && Installation.feature() < 23);
      System.exit(0);
    }

    private static void check(ThreadDump dump, boolean isFound) {
      assertThat(dump.deadlocksKnown()).as(dump::toString).isEqualTo(isFound);
      if (isFound) {
        assertThat(dump.deadlocks()).singleElement();
      } else {
        assertThatIllegalStateException()
            .isThrownBy(dump::deadlocks)
            .withMessageContaining("virtual threads");
        assertThat(dump.toJson()).contains("\"deadlocks\":null");
      }
    }

    private static void await(CountDownLatch both) {
      both.countDown();
      try {
        both.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static void enter(Object one, Object other, CountDownLatch both) {
      synchronized (one) {
        await(both);
        synchronized (other) {
          both.countDown();
        }
      }
    }
  }

  /** On 25 the bean takes the platform thread for running, on 21 the carrier for the owner. */
  @ParameterizedTest
  @EnumSource
  void oneWithAPlatformThreadIsFoundOrNotKnown(WayIn way) {
    assumeTrue(Parked.hasVirtualThreads(), "there are virtual threads from JDK 21 on");
    way.of(WithAPlatformThread.class).args(way.name()).run().succeeds();
  }

  static final class WithAPlatformThread {

    public static void main(String[] args) throws Exception {
      ReentrantLock lock = new ReentrantLock();
      Object monitor = new Object();
      CountDownLatch both = new CountDownLatch(2);
      Thread virtual =
          Parked.startVirtual(
              () -> {
                synchronized (monitor) {
                  Deadlocked.await(both);
                  lock.lock();
                }
              });
      Thread platform =
          new Thread(
              () -> {
                lock.lock();
                Deadlocked.await(both);
                synchronized (monitor) {
                  both.countDown();
                }
              });
      platform.setDaemon(true);
      platform.start();
      Eventually.isTrue(
          "they wait",
          () ->
              JvmTools.getThreadState(platform).isBlockedOnMonitorEnter()
                  && lock.hasQueuedThread(virtual)
                  && virtual.getState() == Thread.State.WAITING);
      boolean isFound = args[0].equals(WayIn.AGENT.name());
      Deadlocked.check(JvmTools.threadDump(), isFound);
      ThreadDump theTwo =
          JvmTools.threadDump(DumpOptions.defaults().threads(List.of(platform, virtual)));
      Deadlocked.check(theTwo, isFound);
      if (!isFound) {
        assertThat(theTwo.thread(platform).orElseThrow().waitsFor().orElseThrow().owner())
            .isEmpty();
      }
      System.exit(0);
    }
  }
}
