package io.jvmtools.functions.dump;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.jvmtools.JvmTools;
import io.jvmtools.dump.DumpedName;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whose scope it is that has started a thread, compared with the file that the JDK's bean writes.
 */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "scopes came with JDK 21")
class ContainerOwnerTest {

  @TempDir Path dir;

  @Test
  void itIsTheOneThatTheJdkFiles() {
    ChildJvm.of(Program.class)
        .jvmArgs("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED")
        .args(dir.resolve("dump.json").toString())
        .run()
        .succeeds();
  }

  static final class Program {

    private static final CountDownLatch OVER = new CountDownLatch(1);

    public static void main(String... args) throws Exception {
      List<Thread> tasks = new CopyOnWriteArrayList<>();
      CountDownLatch opened = new CountDownLatch(1);
      Thread request = new Thread(() -> open(tasks, opened), "request-1");
      request.start();
      opened.await();
      ExecutorService executor =
          (ExecutorService)
              Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
      executor.execute(() -> await(tasks));
      Eventually.isTrue(
          "all wait", () -> tasks.size() == 3 && tasks.stream().allMatch(Program::waits));
      ThreadDump dump = JvmTools.threadDump();
      FiledThreads filed = filed(Path.of(args[0]));
      OVER.countDown();
      executor.shutdown();
      request.join();
      for (Thread task : tasks) {
        assertThat(filed.missing(dump.thread(task).orElseThrow())).isEmpty();
      }
      assertThat(filed.having(FiledThreads.CONTAINER_OWNER)).isEqualTo(2);
      DumpedThread owning = dump.thread(request).orElseThrow();
      DumpedName owner = new DumpedName(owning.name(), owning.id());
      hasOwner(dump.thread(tasks.get(0)).orElseThrow(), owner);
      hasOwner(dump.thread(tasks.get(1)).orElseThrow(), owner);
      assertThat(dump.thread(tasks.get(2)).orElseThrow().container()).isPresent();
      assertThat(dump.thread(tasks.get(2)).orElseThrow().containerOwner()).isEmpty();
      assertThat(dump.thread(request).orElseThrow().containerOwner()).isEmpty();
    }

    private static void hasOwner(DumpedThread task, DumpedName owner) {
      assertThat(task.containerOwner()).contains(owner);
      assertThat(task.toString())
          .contains(" container=" + task.container().orElseThrow() + " of " + owner);
    }

    /** What a StructuredTaskScope is made of, in each release that has one. */
    private static void open(List<Thread> tasks, CountDownLatch opened) {
      Thread virtual = VirtualThreads.unstarted("virtual task", () -> await(tasks));
      Thread platform = new Thread(() -> await(tasks), "platform task");
      try {
        Class<?> type = Class.forName("jdk.internal.misc.ThreadFlock");
        AutoCloseable scope =
            (AutoCloseable) type.getMethod("open", String.class).invoke(null, "orders");
        for (Thread task : List.of(virtual, platform)) {
          type.getMethod("start", Thread.class).invoke(scope, task);
        }
        Eventually.isTrue("both wait", () -> waits(virtual) && waits(platform));
        opened.countDown();
        OVER.await();
        scope.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      } finally {
        opened.countDown();
      }
    }

    private static boolean waits(Thread thread) {
      return thread.getState() == Thread.State.WAITING;
    }

    private static void await(List<Thread> tasks) {
      tasks.add(Thread.currentThread());
      try {
        OVER.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private static FiledThreads filed(Path file) throws Exception {
      Class<?> type = HotSpotDiagnosticMXBean.class;
      Class<?> format = Class.forName(type.getName() + "$ThreadDumpFormat");
      HotSpotDiagnosticMXBean bean =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      type.getMethod("dumpThreads", String.class, format)
          .invoke(bean, file.toString(), format.getField("JSON").get(null));
      return FiledThreads.of(file);
    }
  }
}
