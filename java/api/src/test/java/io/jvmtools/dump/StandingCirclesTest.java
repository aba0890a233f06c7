package io.jvmtools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class StandingCirclesTest {

  private final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
  private final ReentrantLock one = new ReentrantLock();
  private final ReentrantLock other = new ReentrantLock();
  private final CountDownLatch bothHold = new CountDownLatch(2);
  private volatile boolean isOver;

  @Test
  void whoHasWaitedForTheSameAllTheTimeIsInOne() throws InterruptedException {
    Thread first = start(one, other);
    Thread second = start(other, one);
    long[] ids = {first.getId(), second.getId()};
    ThreadInfo[] before = whenBothWait(ids);
    assertThat(StandingCircles.among(before, bean::getThreadInfo))
        .containsExactlyInAnyOrder(first.getId(), second.getId());

    // It gives up, and waits for the same once more.
    first.interrupt();
    long waited = before[0].getWaitedCount();
    ThreadInfo[] after = whenBothWait(ids);
    while (after[0].getWaitedCount() == waited) {
      after = whenBothWait(ids);
    }
    assertThat(StandingCircles.among(before, bean::getThreadInfo)).isEmpty();
    assertThat(StandingCircles.among(after, bean::getThreadInfo)).hasSize(2);

    isOver = true;
    first.interrupt();
    second.interrupt();
    first.join();
    second.join();
    assertThat(StandingCircles.among(after, bean::getThreadInfo)).as("they have ended").isEmpty();
  }

  private Thread start(ReentrantLock holds, ReentrantLock wants) {
    Thread thread =
        new Thread(
            () -> {
              holds.lock();
              try {
                bothHold.countDown();
                while (!isOver) {
                  waitFor(wants);
                }
              } finally {
                holds.unlock();
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void waitFor(ReentrantLock lock) {
    try {
      bothHold.await();
      lock.lockInterruptibly();
      lock.unlock();
    } catch (InterruptedException e) {
      // It is asked whether that is all.
    }
  }

  private ThreadInfo[] whenBothWait(long[] ids) {
    ThreadInfo[] infos = bean.getThreadInfo(ids);
    while (infos[0].getLockOwnerId() != ids[1] || infos[1].getLockOwnerId() != ids[0]) {
      Thread.yield();
      infos = bean.getThreadInfo(ids);
    }
    return infos;
  }
}
