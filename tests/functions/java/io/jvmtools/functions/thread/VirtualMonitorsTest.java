package io.jvmtools.functions.thread;

import static io.jvmtools.Capability.CAN_GET_CURRENT_CONTENDED_MONITOR;
import static io.jvmtools.Capability.CAN_GET_OWNED_MONITOR_INFO;
import static io.jvmtools.Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.dump.DumpedLock;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.Nested;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Installation;
import io.jvmtools.thread.OwnedMonitor;
import io.jvmtools.thread.ThreadRole;
import io.jvmtools.thread.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Monitors that virtual threads own. Before JDK 23 the JVM answers with references of another
 * thread (JDK-8328285): whoever uses them crashes within seconds, or sees objects that nobody ever
 * locked. Before JDK 26 it crashes where the thread is mounted meanwhile, unless it is suspended.
 */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
@Tag(UnderTheAgentTest.ONCE)
class VirtualMonitorsTest {

  private static final boolean TOLD = Installation.feature() >= 23;
  private static final boolean TOLD_OF_RUNNING = Installation.feature() >= 26;

  @ParameterizedTest
  @ValueSource(classes = {Answers.class, Carriers.class, Errors.class, Dump.class, Moving.class})
  void withTheAgent(Class<?> program) {
    // More carriers than processors take turns, each as long as the system likes.
    ChildJvm.of(program)
        .agent("")
        .jvmArgs("-Djdk.virtualThreadScheduler.parallelism=4")
        .run()
        .succeeds();
  }

  /** A thread is told its own; those of another are told or refused. */
  static final class Answers {

    public static void main(String[] args) throws Exception {
      own();
      try (Nested worker = Nested.virtual()) {
        Thread thread = worker.thread();
        List<Object> all = List.of(worker.twice(), worker.outer(), worker.inner());
        String why = TOLD ? "suspend it before" : "JDK-8328285, fixed in JDK 23";
        check(thread, TOLD_OF_RUNNING, all, why);
        contended(thread, !TOLD || TOLD_OF_RUNNING);
        JvmTools.suspendThread(thread);
        check(thread, TOLD, all, why);
        contended(thread, true);
        JvmTools.resumeThread(thread);
      }
    }

    private static void check(Thread thread, boolean told, List<Object> all, String why) {
      if (told) {
        assertThat(JvmTools.getOwnedMonitorInfo(thread)).containsExactlyInAnyOrderElementsOf(all);
        assertThat(JvmTools.getOwnedMonitorStackDepthInfo(thread))
            .extracting(OwnedMonitor::object)
            .containsExactlyInAnyOrderElementsOf(all);
      } else {
        refused("GetOwnedMonitorInfo", why, () -> JvmTools.getOwnedMonitorInfo(thread));
        refused(
            "GetOwnedMonitorStackDepthInfo",
            why,
            () -> JvmTools.getOwnedMonitorStackDepthInfo(thread));
      }
    }

    private static void contended(Thread thread, boolean told) {
      if (told) {
        assertThat(JvmTools.getCurrentContendedMonitor(thread)).isEmpty();
      } else {
        refused(
            "GetCurrentContendedMonitor",
            "suspend it before",
            () -> JvmTools.getCurrentContendedMonitor(thread));
      }
    }

    private static void own() throws Exception {
      Object mine = new Object();
      AtomicReference<List<Object>> objects = new AtomicReference<>();
      AtomicReference<List<OwnedMonitor>> owned = new AtomicReference<>();
      Thread self =
          VirtualThreads.start(
              "self",
              () -> {
                synchronized (mine) {
                  objects.set(JvmTools.getOwnedMonitorInfo(Thread.currentThread()));
                  owned.set(JvmTools.getOwnedMonitorStackDepthInfo(Thread.currentThread()));
                }
              });
      self.join();
      assertThat(objects.get()).containsExactly(mine);
      assertThat(owned.get()).extracting(OwnedMonitor::object).containsExactly(mine);
      assertThat(owned.get().get(0).depth()).hasValue(0);
    }

    private static void refused(String function, String why, Runnable call) {
      assertThatExceptionOfType(NotSupportedException.class)
          .as("%s is refused: %s", function, why)
          .isThrownBy(call::run)
          .withMessageContaining(why)
          .satisfies(
              e -> {
                assertThat(e.function()).isEqualTo(function);
                assertThat(e.error().name()).isEqualTo("JVMTI_ERROR_UNSUPPORTED_OPERATION");
              });
    }
  }

  /**
   * Where the JVM errs about virtual threads, those that carry them are not asked, for it may
   * crash.
   */
  static final class Carriers {

    public static void main(String[] args) {
      // Not closed: it is carried to the end.
      Counting.virtual();
      List<Thread> carriers = new ArrayList<>();
      try (Jvmti jvmti = Jvmti.open()) {
        for (Thread thread : jvmti.threads().all()) {
          if (jvmti.threads().role(thread) == ThreadRole.CARRIER) {
            carriers.add(thread);
          }
        }
      }
      assertThat(carriers).isNotEmpty();
      for (Thread carrier : carriers) {
        Answers.check(carrier, TOLD, List.of(), "a thread that carries virtual ones");
      }
    }
  }

  /** What is wrong with the call is said before that the JVM cannot do it. */
  static final class Errors {

    public static void main(String[] args) throws Exception {
      Thread ended = VirtualThreads.start("ended", () -> {});
      ended.join();
      for (Thread thread : List.of(ended, VirtualThreads.unstarted("unstarted"))) {
        both(
            (threads, capability) ->
                assertThatExceptionOfType(ThreadNotAliveException.class)
                    .isThrownBy(() -> ask(threads, thread, capability)));
      }
      try (Nested worker = Nested.virtual();
          Jvmti bare = Jvmti.open()) {
        both(
            (threads, capability) ->
                assertThatExceptionOfType(MissingCapabilityException.class)
                    .isThrownBy(() -> ask(bare.threads(), worker.thread(), capability))
                    .satisfies(e -> assertThat(e.capability()).isEqualTo(capability)));
      }
    }

    private static void both(BiConsumer<Threads, Capability> test) {
      for (Capability capability :
          List.of(CAN_GET_OWNED_MONITOR_INFO, CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO)) {
        try (Jvmti jvmti = Jvmti.open(capability)) {
          test.accept(jvmti.threads(), capability);
        }
      }
    }

    private static void ask(Threads threads, Thread thread, Capability capability) {
      if (capability == CAN_GET_OWNED_MONITOR_INFO) {
        threads.ownedMonitorObjects(thread);
      } else {
        threads.ownedMonitors(thread);
      }
    }
  }

  /** A dump has the monitors or says that it has not, and knows who waits for whom in any case. */
  static final class Dump {

    public static void main(String[] args) throws Exception {
      try (Nested worker = Nested.virtual()) {
        Object wanted = worker.outer();
        Thread wanting = new Thread(() -> enter(wanted), "wanting");
        wanting.start();
        Eventually.isTrue("it is blocked", () -> wanting.getState() == Thread.State.BLOCKED);
        both(JvmTools.threadDump(), worker.thread(), wanting, TOLD, true);
        try (Jvmti without =
            Jvmti.open(CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO, CAN_GET_CURRENT_CONTENDED_MONITOR)) {
          boolean told = TOLD_OF_RUNNING;
          both(without.dumps().take(), worker.thread(), wanting, told, told);
        }
      }
    }

    private static void enter(Object monitor) {
      synchronized (monitor) {
        Thread.currentThread().interrupt();
      }
    }

    private static void both(
        ThreadDump dump, Thread owner, Thread wanting, boolean told, boolean ownersKnown) {
      DumpedThread dumped = dump.thread(owner).orElseThrow();
      assertThat(dumped.monitorsKnown()).isEqualTo(told);
      assertThat(monitors(dumped)).hasSize(told ? 3 : 0);
      assertThat(dump.toJson()).contains("\"monitorsKnown\":true");
      assertThat(dump.toJson().contains("\"monitorsKnown\":false")).isEqualTo(!told);
      assertThat(dump.thread(wanting).orElseThrow().monitorsKnown()).isTrue();
      assertThat(dump.thread(wanting).orElseThrow().waitsFor().orElseThrow().owner().isPresent())
          .isEqualTo(ownersKnown);
      String unknown = "the monitors that virtual threads own";
      assertThat(dump.unknown().stream().anyMatch(line -> line.startsWith(unknown)))
          .isEqualTo(!told);
      assertThat(
              dump.unknown().stream().anyMatch(line -> line.contains(", and deadlocks over them")))
          .isEqualTo(!ownersKnown);
      assertThat(dump.toString().contains("Not known: " + unknown)).isEqualTo(!told);
    }
  }

  /** Virtual threads that yield and park in monitors, while they are looked at. */
  static final class Moving {

    private static final int THREADS = 64;
    private static final int ROUNDS = 15;

    private static final Object[] LOCKS = Stream.generate(StringBuilder::new).limit(8).toArray();
    private static final AtomicBoolean OVER = new AtomicBoolean();

    /** Takes the memory of objects that nobody keeps alive. */
    @SuppressWarnings("unused")
    private static volatile Object garbage;

    public static void main(String[] args) throws Exception {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        Object lock = i % 2 == 0 ? LOCKS[i % LOCKS.length] : null;
        threads.add(VirtualThreads.start("moving", () -> move(lock)));
      }
      for (int round = 0; round < ROUNDS; round++) {
        try (Jvmti jvmti =
            Jvmti.open(
                CAN_GET_OWNED_MONITOR_INFO, CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO, CAN_SUSPEND)) {
          for (Thread thread : threads) {
            look(jvmti.threads(), thread, TOLD_OF_RUNNING);
            jvmti.threads().suspend(thread);
            look(jvmti.threads(), thread, TOLD);
            jvmti.threads().resume(thread);
          }
        }
        dump();
      }
      OVER.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
    }

    private static void move(Object lock) {
      while (!OVER.get()) {
        synchronized (lock == null ? new StringBuilder() : lock) {
          Thread.yield();
          garbage = new byte[1_000];
        }
        Thread.yield();
      }
    }

    private static void look(Threads threads, Thread thread, boolean told) {
      try {
        assertThat(threads.ownedMonitorObjects(thread)).allMatch(StringBuilder.class::isInstance);
        assertThat(threads.ownedMonitors(thread))
            .allMatch(monitor -> monitor.object() instanceof StringBuilder);
        assertThat(told).isTrue();
      } catch (NotSupportedException e) {
        assertThat(told).isFalse();
      }
    }

    private static void dump() {
      for (DumpedThread thread : JvmTools.threadDump().threads()) {
        if (thread.isVirtual()) {
          assertThat(monitors(thread))
              .allMatch(lock -> lock.className().equals("java.lang.StringBuilder"));
        }
      }
    }
  }

  private static List<DumpedLock> monitors(DumpedThread thread) {
    List<DumpedLock> all = new ArrayList<>(thread.monitorsOfNoFrame());
    thread.frames().forEach(frame -> all.addAll(frame.monitors()));
    return all;
  }
}
