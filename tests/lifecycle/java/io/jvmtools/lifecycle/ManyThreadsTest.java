package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.StalledException;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.stack.ThreadStack;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.thread.SuspendedAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Ten thousand threads simply work. */
@OneJdkADay
class ManyThreadsTest {

  private static final int THREADS = 10_000;
  private static final int MOST_GROWTH_MB = 192;

  /** All there from the start, so that only what is not Java's grows. */
  private static final String[] HEAP = {"-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"};

  @Test
  void areListedAndTraced() {
    ChildResult result = ChildJvm.of(Many.class).agent("").jvmArgs(HEAP).run().succeeds();
    System.out.println(THREADS + " threads: grown by " + result.line("grown by ") + " MB");
    assertThat(Integer.parseInt(result.line("grown by "))).isLessThan(MOST_GROWTH_MB);
  }

  static final class Many {

    private static final long STACK = 144 * 1024;

    public static void main(String[] args) throws Exception {
      Set<Thread> threads = start();
      JvmTools.getThreadState(Thread.currentThread());
      System.gc();
      long before = residentMb();

      List<Thread> listed = JvmTools.getAllThreads();
      assertThat(new HashSet<>(listed)).containsAll(threads);

      Map<Thread, StackTrace> traces = JvmTools.getAllStackTraces();
      assertThat(traces.keySet()).containsAll(threads);
      assertThat(threads).allMatch(thread -> isParked(traces.get(thread)));

      List<ThreadStack> stacks = JvmTools.getThreadListStackTraces(List.copyOf(threads));
      assertThat(stacks).hasSize(THREADS).allMatch(stack -> isParked(stack.trace()));

      System.out.println("grown by " + (residentMb() - before));
      areNotSuspendedForLongerThanTheDeadline(threads);
    }

    private static void areNotSuspendedForLongerThanTheDeadline(Set<Thread> threads) {
      try (Jvmti jvmti = Jvmti.open(Capability.CAN_SUSPEND)) {
        SuspendedAction<Boolean> isSuspended =
            () -> jvmti.threads().state(threads.iterator().next()).isSuspended();
        assertThatExceptionOfType(StalledException.class)
            .isThrownBy(
                () -> jvmti.threads().withSuspended(threads, Duration.ofNanos(1), isSuspended))
            .withMessageContaining(THREADS + " threads");
        assertThat(threads).noneMatch(thread -> jvmti.threads().state(thread).isSuspended());
        Duration enough = Duration.ofMinutes(1);
        assertThat(jvmti.threads().withSuspended(threads, enough, isSuspended)).isTrue();
        assertThat(threads).noneMatch(thread -> jvmti.threads().state(thread).isSuspended());
      }
    }

    private static Set<Thread> start() throws InterruptedException {
      CountDownLatch started = new CountDownLatch(THREADS);
      CountDownLatch never = new CountDownLatch(1);
      Set<Thread> threads = new HashSet<>();
      for (int i = 0; i < THREADS; i++) {
        Thread thread = new Thread(null, () -> park(started, never), "parked " + i, STACK);
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
      }
      started.await();
      return threads;
    }

    private static void park(CountDownLatch started, CountDownLatch never) {
      started.countDown();
      try {
        never.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static boolean isParked(StackTrace trace) {
      return trace.stream().anyMatch(frame -> frame.methodName().equals("park"));
    }

    private static long residentMb() throws IOException {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmRSS:")) {
          return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
        }
      }
      throw new IOException("no VmRSS");
    }
  }
}
