package io.jvmtools.lifecycle;

import static io.jvmtools.event.EventTypes.THREAD_END;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.event.EventFilter;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Shortest;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For whom the end of the JVM waits, and for whom it does not. */
class LastListenersTest {

  private static final String DONE = "what the listener does is done";

  @ParameterizedTest
  @ValueSource(strings = {"exit", "return"})
  void theEndWaitsForWhoIsInAListener(String end) {
    ChildJvm.of(Working.class).args(end).run().succeeds().out().contains(DONE);
  }

  static final class Working {

    private static final Jvmti JVMTI = Jvmti.open();

    public static void main(String[] args) {
      CountDownLatch ends = new CountDownLatch(1);
      CountDownLatch listening = new CountDownLatch(1);
      CountDownLatch lastHook = new CountDownLatch(1);
      Thread worker = new Thread(() -> await(ends));
      worker.setDaemon(true);
      worker.start();
      JVMTI
          .events()
          .on(
              THREAD_END,
              EventFilter.ANY.threads(worker),
              event -> {
                listening.countDown();
                await(lastHook);
                work();
                System.out.println(DONE);
              });
      Runtime.getRuntime().addShutdownHook(new Thread(lastHook::countDown));
      ends.countDown();
      await(listening);
      if (args[0].equals("exit")) {
        System.exit(0);
      }
    }

    /** Longer than a JVM takes to end, and not as long as it waits. */
    private static void work() {
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(500);
      for (long left = 1; left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void theEndWaitsForNobodyWhereTheAgentIsIdle() {
    Duration patience = Duration.ofSeconds(2);
    assertThat(Shortest.of(3, patience, LastListenersTest::idle)).isLessThan(patience);
  }

  private static Duration idle() {
    long start = System.nanoTime();
    ChildJvm.of(Nothing.class).agent("").run().succeeds();
    return Duration.ofNanos(System.nanoTime() - start);
  }

  static final class Nothing {
    public static void main(String[] args) {}
  }
}
