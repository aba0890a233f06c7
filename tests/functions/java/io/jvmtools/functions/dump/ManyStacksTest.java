package io.jvmtools.functions.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.UnderTheAgentTest;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Of hundreds of threads the JVM is asked for all stacks, in whichever order it has them: each
 * thread has its own in the dump, and virtual threads do, of which it is asked in a list.
 */
@Tag(UnderTheAgentTest.ONCE)
class ManyStacksTest {

  /** What the JVM says of who asks: to see what threads wait for, one frame of each is enough. */
  private static final String WHOLE_STACKS = "GetAllStackTraces \\{ +max_frame_count=\\d{2,}";

  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(strings = {"suspended", "running"})
  void eachThreadHasItsOwn(String mode) throws IOException {
    Path trace = dir.resolve("trace.txt");
    ChildJvm.of(Program.class)
        .args(mode)
        .agent("")
        .jvmArgs("-XX:TraceJVMTI=GetAllStackTraces+i", "-Xlog:jvmti=trace:file=" + trace)
        .run()
        .succeeds();
    assertThat(Files.readString(trace)).containsPattern(WHOLE_STACKS);
  }

  /** The child: threads of which no two neighbours have as many frames. */
  static final class Program {

    private static final int PLATFORM = 300;
    private static final int VIRTUAL = 50;

    /** So many depths there are, and one of them is more than is asked for at once. */
    private static final int DEPTHS = 27;

    private static final int MORE = 25;

    public static void main(String... args) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < PLATFORM; i++) {
        threads.add(parked(i, false));
        if (i < VIRTUAL && Parked.hasVirtualThreads()) {
          threads.add(parked(i, true));
        }
      }
      ThreadDump dump = args[0].equals("suspended") ? JvmTools.threadDump() : ofRunning();
      for (Thread thread : threads) {
        StackTraceElement[] ours = dump.thread(thread).orElseThrow().stack().toStackTraceElements();
        assertThat(texts(ours)).as("%s", thread).isEqualTo(texts(thread.getStackTrace()));
      }
    }

    private static ThreadDump ofRunning() {
      try (Jvmti jvmti = Jvmti.open()) {
        return jvmti.dumps().take();
      }
    }

    private static Thread parked(int number, boolean isVirtual) {
      int depth = number % DEPTHS * MORE;
      CountDownLatch inside = new CountDownLatch(1);
      Thread thread;
      if (isVirtual) {
        thread = Parked.startVirtual(() -> deeper(depth, inside));
      } else {
        thread = new Thread(() -> deeper(depth, inside), "deep " + number);
        thread.setDaemon(true);
        thread.start();
      }
      try {
        inside.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      Eventually.isTrue(thread + " waits", () -> thread.getState() == Thread.State.WAITING);
      return thread;
    }

    private static void deeper(int depth, CountDownLatch inside) {
      if (depth > 0) {
        deeper(depth - 1, inside);
        return;
      }
      inside.countDown();
      while (true) {
        LockSupport.park();
      }
    }

    /** Those of this class: of the JDK's own, some are hidden from Java. */
    private static List<String> texts(StackTraceElement[] elements) {
      return Arrays.stream(elements)
          .filter(e -> e.getClassName().equals(Program.class.getName()))
          .map(e -> e.getMethodName() + ":" + e.getLineNumber())
          .toList();
    }
  }
}
