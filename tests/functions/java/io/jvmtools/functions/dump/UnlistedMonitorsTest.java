package io.jvmtools.functions.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.DumpedName;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.DumpedWait;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Monitors that the JVM does not list among those that their owner owns, as deadlocks show them.
 */
class UnlistedMonitorsTest {

  /** More than {@code -XX:MaxJavaStackTraceDepth} says. */
  private static final int DEEP = 1500;

  @Test
  void aClassLoaderThatTheJvmHasLockedIsInTheDeadlock() {
    ChildJvm.of(Loading.class).agent("").run().succeeds();
    ChildJvm.of(Loading.class).run().succeeds();
  }

  /** The JVM locks the loader, and that waits for a monitor whose owner wants the loader. */
  static final class Loading {

    public static void main(String[] args) {
      Object held = new Object();
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch locked = new CountDownLatch(1);
      // Not parallel capable.
      ClassLoader loader =
          new ClassLoader(null) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve)
                throws ClassNotFoundException {
              asked.countDown();
              synchronized (held) {
                throw new ClassNotFoundException(name);
              }
            }
          };
      Thread owner =
          daemon(
              "owner",
              () -> {
                synchronized (held) {
                  locked.countDown();
                  await(asked);
                  synchronized (loader) {
                    throw new AssertionError("never");
                  }
                }
              });
      await(locked);
      Thread loading =
          daemon(
              "loading",
              () -> {
                try {
                  Class.forName("no.Such", false, loader);
                } catch (ClassNotFoundException e) {
                  throw new AssertionError(e);
                }
              });
      ThreadDump dump = dumpOfTheDeadlock(List.of(owner, loading));
      assertThat(dump.thread(owner).orElseThrow().waitsFor().flatMap(DumpedWait::owner))
          .map(DumpedName::name)
          .contains("loading");
    }
  }

  @Test
  void whatDeepFramesHaveEnteredIsInTheDeadlockAndTheRestIsSaidToBeUnknown() {
    ChildJvm.of(Deep.class).agent("").args("1").run().succeeds();
    ChildJvm.of(Deep.class).run().succeeds();
  }

  @Test
  void whereTheJvmLooksDeepEnoughAllMonitorsAreKnown() {
    ChildJvm.of(Deep.class)
        .agent("")
        .jvmArgs("-XX:MaxJavaStackTraceDepth=" + 2 * DEEP)
        .args("2")
        .run()
        .succeeds();
  }

  @Test
  void whereTheJvmLooksLessDeepTheRestIsSaidToBeUnknown() {
    ChildJvm.of(Deep.class)
        .agent("")
        .jvmArgs("-XX:MaxJavaStackTraceDepth=20", "-Ddepth=50")
        .args("1")
        .run()
        .succeeds();
  }

  @Test
  void withoutAnyStackTracesTheJvmLooksAsDeep() {
    ChildJvm.of(Deep.class)
        .agent("")
        .jvmArgs("-XX:-StackTraceInThrowable", "-Ddepth=50")
        .args("2")
        .run()
        .succeeds();
  }

  /** Each owns a monitor far below where it waits for the other's. */
  static final class Deep {

    private static int left;

    public static void main(String[] args) {
      List<Object> monitors = List.of(new Object(), new Object());
      CountDownLatch both = new CountDownLatch(2);
      List<Thread> threads =
          List.of(
              deep(monitors.get(0), monitors.get(1), both),
              deep(monitors.get(1), monitors.get(0), both));
      ThreadDump dump = dumpOfTheDeadlock(threads);
      if (args.length > 0) {
        boolean known = args[0].equals("2");
        assertKnown(dump, threads, known);
        // However few of the frames are wanted.
        for (int depth : List.of(5, 30, 1_024, 1_200)) {
          DumpOptions few = DumpOptions.defaults().depth(depth);
          assertKnown(JvmTools.threadDump(few), threads, known);
          assertKnown(JvmTools.threadDump(few.withoutSuspension()), threads, known);
        }
      }
    }

    private static void assertKnown(ThreadDump dump, List<Thread> threads, boolean known) {
      assertThat(threads)
          .allMatch(thread -> dump.thread(thread).orElseThrow().monitorsKnown() == known);
      assertThat(dump.unknown().stream().filter(line -> line.contains("MaxJavaStackTraceDepth")))
          .hasSize(known ? 0 : 1);
    }

    private static Thread deep(Object own, Object wanted, CountDownLatch both) {
      Runnable meet =
          () -> {
            both.countDown();
            await(both);
            synchronized (wanted) {
              throw new AssertionError("never");
            }
          };
      Runnable body =
          () -> {
            synchronized (own) {
              descend(Integer.getInteger("depth", DEEP), meet);
            }
          };
      Thread thread = new Thread(null, body, "deep", 64 << 20);
      thread.setDaemon(true);
      thread.start();
      return thread;
    }

    private static void descend(int depth, Runnable bottom) {
      if (depth == 0) {
        bottom.run();
      } else {
        descend(depth - 1, bottom);
      }
      left++;
    }
  }

  /** Once the JVM itself sees it, too. */
  private static ThreadDump dumpOfTheDeadlock(List<Thread> threads) {
    List<Long> ids = threads.stream().map(Thread::getId).toList();
    Eventually.isTrue("they are deadlocked", () -> deadlocked().containsAll(ids));
    ThreadDump dump = JvmTools.threadDump();
    assertThat(dump.deadlocks())
        .singleElement()
        .satisfies(
            deadlock ->
                assertThat(deadlock.threads().stream().map(DumpedThread::id))
                    .containsExactlyInAnyOrderElementsOf(ids));
    return dump;
  }

  private static List<Long> deadlocked() {
    long[] ids = ManagementFactory.getThreadMXBean().findDeadlockedThreads();
    return ids == null ? List.of() : LongStream.of(ids).boxed().toList();
  }

  private static Thread daemon(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
