package io.jvmtools.functions.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.DumpPart;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** A dump of a program that moves no more has all that {@code Thread.dump_to_file} writes. */
@Tag(UnderTheAgentTest.ONCE)
class FiledDumpTest {

  @TempDir Path dir;

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "dump_to_file came with JDK 21")
  void nothingThatTheJdkFilesIsMissing() {
    assumeTrue(Files.exists(Program.jcmd()), "this JDK has no jcmd");
    ChildJvm.of(Program.class)
        .agent("prepare=can_access_local_variables")
        .args(dir.resolve("dump.json").toString())
        .run()
        .succeeds();
  }

  /** The child: comes to a standstill and compares its dump with the file. */
  static final class Program {

    private static volatile boolean over;

    public static void main(String... args) throws Exception {
      Standstill standstill = Standstill.reached();
      List<Thread> threads = new ArrayList<>(standstill.threads().values());
      ExecutorService each =
          (ExecutorService)
              Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
      CountDownLatch started = new CountDownLatch(3);
      each.execute(() -> park(threads, started));
      Executors.newSingleThreadExecutor().execute(() -> park(threads, started));
      threads.add(VirtualThreads.start("mounted", () -> spin(started)));
      started.await();
      ThreadDump dump = everything();
      FiledThreads filed = filed(Path.of(args[0]));
      List<String> missing = missing(dump, filed, threads);
      over = true;
      System.out.println(String.join("\n", missing));
      System.exit(missing.isEmpty() ? 0 : 1);
    }

    /** From JDK 23 on what a thread waits on is told by the frame of {@code Object.wait()} only. */
    private static ThreadDump everything() {
      try (Jvmti jvmti =
          Jvmti.open(
              Capability.CAN_SUSPEND,
              Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO,
              Capability.CAN_GET_CURRENT_CONTENDED_MONITOR,
              Capability.CAN_ACCESS_LOCAL_VARIABLES,
              Capability.CAN_SUPPORT_VIRTUAL_THREADS)) {
        DumpPart[] parts = {DumpPart.OWNED_MONITORS, DumpPart.CONTENDED_MONITORS};
        return jvmti
            .dumps()
            .take(DumpOptions.defaults().parts(parts).deadline(Duration.ofMinutes(1)));
      }
    }

    private static List<String> missing(
        ThreadDump dump, FiledThreads filed, Collection<Thread> threads) {
      List<String> missing = new ArrayList<>();
      for (Thread thread : threads) {
        DumpedThread ours = dump.thread(thread).orElseThrow();
        assertThat(filed.ids()).contains(ours.id());
        missing.addAll(filed.missing(ours));
      }
      return missing;
    }

    static Path jcmd() {
      return Installation.javaHome().resolve("bin/jcmd");
    }

    private static FiledThreads filed(Path file) throws Exception {
      Process process =
          new ProcessBuilder(
                  jcmd().toString(),
                  Long.toString(ProcessHandle.current().pid()),
                  "Thread.dump_to_file",
                  "-format=json",
                  file.toString())
              .redirectErrorStream(true)
              .start();
      String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor()).as(text).isZero();
      assertThat(Files.exists(file)).as(text).isTrue();
      return FiledThreads.of(file);
    }

    private static void park(List<Thread> threads, CountDownLatch started) {
      synchronized (threads) {
        threads.add(Thread.currentThread());
      }
      started.countDown();
      while (!over) {
        LockSupport.park();
      }
    }

    private static void spin(CountDownLatch started) {
      started.countDown();
      while (!over) {}
    }
  }
}
