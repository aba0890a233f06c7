package io.jvmtools.functions.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.stack.ThreadStack;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Hundreds of threads: the JVM is asked for all stacks, in whichever order it has them, or in a
 * list, and each thread has its own in the dump.
 */
@Tag(UnderTheAgentTest.ONCE)
class ManyStacksTest {

  private static final String HAS_VIRTUAL = "io.jvmtools.support.Parked#hasVirtualThreads";

  /** What the JVM says of who asks: to see what threads wait for, one frame of each is enough. */
  private static final String WHOLE_STACKS = "GetAllStackTraces \\{ +max_frame_count=\\d{2,}";

  /** Deep platform threads are asked for one by one, for which nobody stands still. */
  private static final String LISTED = "GetThreadListStackTraces \\{ +thread_count=(?!1 )\\d+";

  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"suspended", "running"})
  void eachPlatformThreadHasItsOwn(String mode) throws IOException {
    assertThat(traceOf(mode, 0)).containsPattern(WHOLE_STACKS);
  }

  /** In lists, the deep ones once more, and not one by one. */
  @ParameterizedTest
  @ValueSource(strings = {"suspended", "running"})
  @EnabledIf(value = HAS_VIRTUAL, disabledReason = "this JDK has no virtual threads")
  void eachVirtualThreadHasItsOwn(String mode) throws IOException {
    int virtual = 400;
    String trace = traceOf(mode, virtual);
    assertThat(trace).doesNotContainPattern(WHOLE_STACKS).containsPattern(LISTED);
    assertThat(trace.split(LISTED, -1)).hasSizeLessThan(virtual / 8);
  }

  /** Those that carry virtual threads, of which the JVM keeps no list here, are among them. */
  @ParameterizedTest
  @ValueSource(strings = {"suspended", "running"})
  @EnabledIf(value = HAS_VIRTUAL, disabledReason = "this JDK has no virtual threads")
  void whereVirtualThreadsAreCarriedListsAreAskedFor(String mode) throws IOException {
    assertThat(traceOf(mode, 1, "-Djdk.trackAllThreads=false"))
        .doesNotContainPattern(WHOLE_STACKS)
        .containsPattern(LISTED);
  }

  private String traceOf(String mode, int virtual, String... more) throws IOException {
    Path trace = dir.resolve("trace.txt");
    ChildJvm.of(Program.class)
        .args(mode, Integer.toString(virtual))
        .agent("")
        .jvmArgs(
            "-XX:TraceJVMTI=GetAllStackTraces+i,GetThreadListStackTraces+i",
            "-Xlog:jvmti=trace:file=" + trace)
        .jvmArgs(more)
        .run()
        .succeeds();
    return Files.readString(trace);
  }

  @Test
  @EnabledIf(value = HAS_VIRTUAL, disabledReason = "this JDK has no virtual threads")
  void theStacksOfPlatformAndVirtualThreadsAreOfOneMoment() {
    ChildJvm.of(Turns.class).run().succeeds();
  }

  @Test
  void noStackIsCutBecauseItsThreadEnds() {
    ChildJvm.of(Ending.class).run().succeeds();
  }

  private static ThreadDump ofRunning() {
    try (Jvmti jvmti = Jvmti.open()) {
      return jvmti.dumps().take();
    }
  }

  private static Thread started(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void parkForEver() {
    while (true) {
      LockSupport.park();
    }
  }

  /** Enough for the JVM to be asked for all. */
  private static final int MANY = 300;

  /** The child: threads of which no two neighbours have as many frames. */
  static final class Program {

    /** So many depths there are, and some of them are more than is asked for at first. */
    private static final int DEPTHS = 27;

    private static final int MORE = 25;

    public static void main(String... args) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        int depth = i % DEPTHS * MORE;
        CountDownLatch inside = new CountDownLatch(1);
        threads.add(started("deep " + i, () -> deeper(depth, inside)));
        await(inside);
      }
      for (int i = 0; i < Integer.parseInt(args[1]); i++) {
        int depth = i % DEPTHS * MORE;
        CountDownLatch inside = new CountDownLatch(1);
        Thread thread = Parked.startVirtual(() -> deeper(depth, inside));
        if (!"false".equals(System.getProperty("jdk.trackAllThreads"))) {
          threads.add(thread);
        }
        await(inside);
      }
      for (Thread thread : threads) {
        Eventually.isTrue(thread + " waits", () -> thread.getState() == Thread.State.WAITING);
      }
      ThreadDump dump = args[0].equals("suspended") ? JvmTools.threadDump() : ofRunning();
      for (Thread thread : threads) {
        StackTraceElement[] ours = dump.thread(thread).orElseThrow().stack().toStackTraceElements();
        assertThat(texts(ours)).as("%s", thread).isEqualTo(texts(thread.getStackTrace()));
      }
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static void deeper(int depth, CountDownLatch inside) {
      if (depth > 0) {
        deeper(depth - 1, inside);
        return;
      }
      inside.countDown();
      parkForEver();
    }

    /** Those of this class: of the JDK's own, some are hidden from Java. */
    private static List<String> texts(StackTraceElement[] elements) {
      return Arrays.stream(elements)
          .filter(e -> e.getClassName().equals(Program.class.getName()))
          .map(e -> e.getMethodName() + ":" + e.getLineNumber())
          .toList();
    }
  }

  /** The child: a platform thread and a virtual one, of which one at a time has a lock. */
  static final class Turns {

    private static final int DUMPS = 100;

    private static final ReentrantLock LOCK = new ReentrantLock();

    private static volatile long sink;

    public static void main(String... args) {
      for (int i = 0; i < MANY; i++) {
        started("idle", ManyStacksTest::parkForEver);
      }
      List<Thread> both =
          List.of(started("takes turns", Turns::take), Parked.startVirtual(Turns::take));
      for (int i = 0; i < DUMPS; i++) {
        ThreadDump dump = ofRunning();
        List<DumpedThread> inside =
            both.stream()
                .map(thread -> dump.thread(thread).orElseThrow())
                .filter(thread -> thread.stack().toString().contains("inTurn"))
                .toList();
        assertThat(inside).hasSizeLessThan(2);
      }
    }

    private static void take() {
      while (true) {
        LOCK.lock();
        try {
          inTurn();
        } finally {
          LOCK.unlock();
        }
      }
    }

    private static void inTurn() {
      long sum = 0;
      for (int i = 0; i < 2_000; i++) {
        sum += i * sum + 1;
      }
      sink = sum;
    }
  }

  /** The child: threads that are deeper than is asked for at first, and soon end. */
  static final class Ending {

    private static final int DUMPS = 200;
    private static final int DEEP = 600;
    private static final String DEEPEST = "deepest";

    public static void main(String... args) {
      for (int i = 0; i < 3; i++) {
        started("starts others", Ending::startOthers);
      }
      int[] seen = {0, 0};
      for (int i = 0; i < DUMPS || seen[0] * seen[1] == 0; i++) {
        for (DumpedThread thread : ofRunning().threads()) {
          seen[0] += whole(thread.name(), thread.stack());
        }
        for (ThreadStack stack : JvmTools.getAllStackTraces(2 * DEEP)) {
          seen[1] += whole(stack.thread().getName(), stack.trace());
        }
      }
    }

    private static int whole(String name, StackTrace stack) {
      if (!name.equals(DEEPEST) || stack.size() <= DEEP / 2) {
        return 0;
      }
      assertThat(stack.toString()).contains("ManyStacksTest$Ending.outermost(");
      return 1;
    }

    private static void startOthers() {
      while (true) {
        Thread thread = new Thread(Ending::outermost, DEEPEST);
        thread.setDaemon(true);
        thread.start();
        try {
          thread.join();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }

    private static void outermost() {
      deeper(DEEP);
    }

    private static void deeper(int depth) {
      if (depth > 0) {
        deeper(depth - 1);
      } else {
        LockSupport.parkNanos(2_000_000);
      }
    }
  }
}
