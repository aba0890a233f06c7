package io.jvmtools.functions.dump;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GET_CURRENT_CONTENDED_MONITOR;
import static io.jvmtools.Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO;
import static io.jvmtools.Capability.CAN_GET_THREAD_CPU_TIME;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpConsistency;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.DumpedFrame;
import io.jvmtools.dump.DumpedLocal;
import io.jvmtools.dump.DumpedLock;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.DumpedWait;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Contention;
import io.jvmtools.functions.Nested;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Runs with and without the agent; what a thread owns or waits for is known only with it. */
@Tag(UnderTheAgentTest.ALWAYS)
class ThreadDumpTest {

  private static final boolean AGENT = Boolean.getBoolean(UnderTheAgentTest.INSIDE);

  @Test
  void theCallingThreadIsShownFromTheCallerOn() {
    try (Jvmti bare = Jvmti.open();
        Jvmti suspending = Jvmti.open(CAN_SUSPEND)) {
      List<Supplier<ThreadDump>> doors =
          List.of(
              () -> bare.dumps().take(),
              () -> bare.dumps().take(Duration.ofMinutes(1)),
              () -> suspending.dumps().take(),
              () -> suspending.dumps().take(Duration.ofMinutes(1)),
              () -> JvmTools.threadDump());
      for (Supplier<ThreadDump> door : doors) {
        DumpedThread current = door.get().thread(Thread.currentThread()).orElseThrow();
        assertThat(current.stack().get(0).className()).isEqualTo(getClass().getName());
        assertThat(current.stack().get(0).methodName()).startsWith("lambda$");
        assertThat(current.javaState()).isEqualTo(Thread.State.RUNNABLE);
      }
    }
  }

  @Test
  void anEnvironmentReadsWhatItMay() {
    try (Jvmti bare = Jvmti.open()) {
      ThreadDump dump = bare.dumps().take();
      assertThat(dump.consistency()).isEqualTo(DumpConsistency.SAFEPOINT);
      assertThat(dump.threads()).allMatch(thread -> thread.cpuTime().isEmpty());
      assertThat(dump.unknown())
          .hasSize(7)
          .anyMatch(line -> line.startsWith("locks of java.util.concurrent that nobody"))
          .anyMatch(line -> line.contains("call add(CAN_GET_THREAD_CPU_TIME)"))
          .anyMatch(line -> line.contains(AGENT ? "add(CAN_GET_OWNED" : "add -agentpath:"));
    }
    try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_GET_THREAD_CPU_TIME)) {
      ThreadDump dump = jvmti.dumps().take(Duration.ofMinutes(1));
      assertThat(dump.consistency()).isEqualTo(DumpConsistency.SUSPENDED);
      assertThat(dump.unknown()).hasSize(5);
      assertThat(dump.thread(Thread.currentThread()).orElseThrow().cpuTime().orElseThrow())
          .isPositive();
    }
  }

  /** The system is asked by a thread's native number, which must not be another one's. */
  @Test
  void processorTimesAreThoseOfTheThreads() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    Map<Long, Long> before = new HashMap<>();
    for (long id : bean.getAllThreadIds()) {
      before.put(id, bean.getThreadCpuTime(id));
    }
    try (Jvmti jvmti = Jvmti.open(CAN_GET_THREAD_CPU_TIME)) {
      ThreadDump dump = jvmti.dumps().take(DumpOptions.defaults().withoutSuspension());
      int compared = 0;
      for (DumpedThread thread : dump.threads()) {
        long after = bean.getThreadCpuTime(thread.id());
        if (before.getOrDefault(thread.id(), -1L) >= 0 && after >= 0) {
          assertThat(thread.cpuTime().orElseThrow().toNanos())
              .as(thread.name())
              .isBetween(before.get(thread.id()), after);
          compared++;
        }
      }
      assertThat(compared).isGreaterThan(3);
    }
  }

  @Test
  void theStaticDoorReadsWhatCanBeHadAndKeepsNothingFromOthers() {
    try (Contention contention = new Contention()) {
      ThreadDump dump = JvmTools.threadDump();
      assertThat(dump.consistency()).isEqualTo(DumpConsistency.SUSPENDED);
      assertThat(dump.thread(contention.owner()).orElseThrow().cpuTime()).isPresent();
      DumpedThread blocked = dump.thread(contention.entering().get(0)).orElseThrow();
      // Without the agent it is the JDK's own bean that tells.
      assertThat(blocked.waitsFor().orElseThrow().lock()).isPresent();
      assertThat(blocked.waitsFor().orElseThrow().owner().orElseThrow().id())
          .isEqualTo(contention.owner().getId());
      assertThat(dump.unknown())
          .hasSize(AGENT ? unknownAwaited(dump) + 3 : 6)
          .anyMatch(
              line ->
                  line.startsWith(
                      "local variables, which a dump of"
                          + " Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES) has: "));
      // It has given that back, and gets it again or does without.
      try (Jvmti other = Jvmti.open(CAN_SUSPEND)) {
        assertThat(other.dumps().take().consistency()).isEqualTo(DumpConsistency.SUSPENDED);
        assertThat(JvmTools.threadDump().consistency()).isEqualTo(DumpConsistency.SAFEPOINT);
      }
      assertThat(JvmTools.threadDump().consistency()).isEqualTo(DumpConsistency.SUSPENDED);
    }
  }

  /** From 23 on nobody tells what they wait on who have just begun, or are virtual. */
  private static int unknownAwaited(ThreadDump dump) {
    boolean isUntold =
        dump.threads().stream()
            .flatMap(thread -> thread.waitsFor().stream())
            .anyMatch(wait -> wait.kind() == DumpedWait.Kind.NOTIFICATION && wait.lock().isEmpty());
    return Installation.feature() >= 23 && isUntold ? 1 : 0;
  }

  @Test
  void threadsStandStillAndGoOn() {
    try (Parked running = Parked.inLoop();
        Parked waiting = Parked.inPark();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      ThreadDump dump = jvmti.dumps().take(Duration.ofMinutes(1));
      for (Parked parked : List.of(running, waiting)) {
        assertThat(dump.thread(parked.thread()).orElseThrow().state())
            .isEqualTo(JvmTools.getThreadState(parked.thread()));
        assertThat(JvmTools.getThreadState(parked.thread()).isSuspended()).isFalse();
      }
      assertThat(dump.thread(running.thread()).orElseThrow().state().isRunnable()).isTrue();
    }
  }

  @Test
  @OnlyUnderTheAgent
  void monitorsAreAtTheirFramesAndWithTheirOwners() {
    try (Contention contention = new Contention();
        Nested nested = Nested.platform();
        Jvmti bare =
            Jvmti.open(CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO, CAN_GET_CURRENT_CONTENDED_MONITOR)) {
      for (ThreadDump dump : List.of(bare.dumps().take(), JvmTools.threadDump())) {
        for (Thread thread : contention.entering()) {
          DumpedWait wait = dump.thread(thread).orElseThrow().waitsFor().orElseThrow();
          assertThat(wait.kind()).isEqualTo(DumpedWait.Kind.MONITOR);
          assertThat(wait.lock().orElseThrow().identityHash())
              .isEqualTo(System.identityHashCode(contention.object()));
          assertThat(wait.owner().orElseThrow().id()).isEqualTo(contention.owner().getId());
        }
        DumpedWait wait = dump.thread(contention.waiter()).orElseThrow().waitsFor().orElseThrow();
        assertThat(wait.kind()).isEqualTo(DumpedWait.Kind.NOTIFICATION);
        assertThat(wait.lock().orElseThrow().identityHash())
            .isEqualTo(System.identityHashCode(contention.object()));

        assertThat(entered(dump, nested.thread(), nested.outer())).isEqualTo("outside");
        assertThat(entered(dump, nested.thread(), nested.inner())).isEqualTo("inside");
        assertThat(entered(dump, nested.thread(), nested.twice())).isEqualTo("inside");
        assertThat(dump.deadlocks()).isEmpty();
      }
    }
  }

  private static String entered(ThreadDump dump, Thread thread, Object monitor) {
    List<String> methods =
        dump.thread(thread).orElseThrow().frames().stream()
            .filter(frame -> holds(frame, monitor))
            .map(frame -> frame.frame().methodName())
            .toList();
    assertThat(methods).hasSize(1);
    return methods.get(0);
  }

  private static boolean holds(DumpedFrame frame, Object monitor) {
    int hash = System.identityHashCode(monitor);
    return frame.monitors().stream().anyMatch(lock -> lock.identityHash() == hash);
  }

  @Test
  void localsAreThereWhereThreadsStandStill() {
    ChildJvm.of(Locals.class).agent("prepare=can_access_local_variables").run().succeeds();
    ChildJvm.of(Locals.class).agent("prepare=debugging").run().succeeds();
  }

  static final class Locals {

    public static void main(String[] args) {
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      try (Parked busy =
              Parked.in(() -> workWith(7, "a \"text\"", inside, over), inside, over::countDown);
          Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES)) {
        check(jvmti, busy.thread(), over);
        jvmti.threads().suspend(busy.thread());
        check(jvmti, busy.thread(), over);
        jvmti.threads().resume(busy.thread());
        jvmti
            .threads()
            .withSuspended(
                busy.thread(), Duration.ofMinutes(1), () -> check(jvmti, busy.thread(), over));
      }
    }

    private static Void check(Jvmti jvmti, Thread busy, CountDownLatch over) {
      DumpedFrame frame =
          jvmti.dumps().take(Duration.ofMinutes(1)).thread(busy).orElseThrow().frames().stream()
              .filter(f -> f.frame().methodName().equals("workWith"))
              .findFirst()
              .orElseThrow();
      assertThat(frame.locals())
          .contains(
              new DumpedLocal("number", "I", "7"),
              new DumpedLocal("text", "Ljava/lang/String;", "\"a \\\"text\\\"\""),
              new DumpedLocal("wide", "J", "14"),
              new DumpedLocal("half", "D", "3.5"),
              new DumpedLocal("nothing", "Ljava/lang/Object;", "null"),
              new DumpedLocal(
                  "over",
                  "Ljava/util/concurrent/CountDownLatch;",
                  "java.util.concurrent.CountDownLatch@"
                      + Integer.toHexString(System.identityHashCode(over))));
      return null;
    }
  }

  private static void workWith(
      int number, String text, CountDownLatch inside, CountDownLatch over) {
    long wide = 2L * number;
    double half = number / 2.0;
    Object nothing = null;
    inside.countDown();
    try {
      over.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(text + wide + half + nothing, e);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void virtualThreadsAreFound() {
    try (Parked parked = Parked.virtual()) {
      for (boolean again : new boolean[] {false, true}) {
        ThreadDump dump = again ? bare() : JvmTools.threadDump();
        DumpedThread thread = dump.thread(parked.thread()).orElseThrow();
        assertThat(thread.isVirtual()).isTrue();
        assertThat(thread.javaState()).isEqualTo(Thread.State.WAITING);
        assertThat(thread.stack().toStackTraceElements())
            .isEqualTo(JvmTools.getStackTrace(parked.thread()).toStackTraceElements());
        assertThat(thread.cpuTime()).isEmpty();
        assertThat(dump.threads().get(0).isVirtual()).isFalse();
      }
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aVirtualThreadCanTakeADump() throws Exception {
    CompletableFuture<ThreadDump> taken = new CompletableFuture<>();
    Thread caller = VirtualThreads.start("caller", () -> taken.complete(JvmTools.threadDump()));
    ThreadDump dump = taken.get(1, TimeUnit.MINUTES);
    caller.join();
    assertThat(dump.consistency()).isEqualTo(DumpConsistency.SUSPENDED);
    DumpedThread thread = dump.thread(caller).orElseThrow();
    assertThat(thread.isVirtual()).isTrue();
    assertThat(thread.stack().get(0).className()).isEqualTo(getClass().getName());
    assertThat(thread.state().isSuspended()).isFalse();
  }

  @Test
  void aNumberIsTheOneOfTheJdkWhateverASubclassSays() throws Exception {
    Object lock = new Object();
    Thread stubborn =
        new Thread(LockSupport::park) {
          @Override
          public long getId() {
            synchronized (lock) {
              return 7;
            }
          }
        };
    stubborn.start();
    CompletableFuture<ThreadDump> taken;
    synchronized (lock) {
      taken = CompletableFuture.supplyAsync(JvmTools::threadDump);
      assertThat(taken.get(1, TimeUnit.MINUTES).thread(stubborn)).isPresent();
    }
    DumpedThread thread = taken.get().thread(stubborn).orElseThrow();
    ThreadInfo bean = ManagementFactory.getThreadMXBean().getThreadInfo(thread.id());
    LockSupport.unpark(stubborn);
    stubborn.join();
    assertThat(bean.getThreadName()).isEqualTo(stubborn.getName()).isEqualTo(thread.name());
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_18, disabledReason = "Thread.getId() is final")
  void nobodyWhoseNumberIsHisOwnIsAskedForIt() throws Exception {
    ChildJvm.of(Misnumbered.class).run().succeeds();
  }

  /** A blocked thread that does not answer, in a JVM without the agent. */
  static final class Misnumbered {

    public static void main(String... args) throws Exception {
      Object lock = new Object();
      Thread blocked =
          new Thread(
              () -> {
                synchronized (lock) {
                  lock.notifyAll();
                }
              }) {
            @Override
            public long getId() {
              throw new IllegalStateException("nobody asks");
            }
          };
      synchronized (lock) {
        blocked.start();
        while (blocked.getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
        ThreadDump dump = JvmTools.threadDump();
        assertThat(dump.thread(blocked).orElseThrow().waitsFor().orElseThrow().lock()).isEmpty();
        assertThat(dump.deadlocksKnown()).isFalse();
        assertThat(dump.unknown())
            .anyMatch(
                line ->
                    line.startsWith("deadlocks over monitors: " + blocked.getClass().getName()));
      }
      blocked.join();
    }
  }

  /** It may be locked for good. */
  @Test
  @EnabledForJreRange(max = JRE.JAVA_18, disabledReason = "Thread.getId() is final")
  void theLoaderOfAClassOfThreadsIsAskedForNothing() throws Exception {
    ChildJvm.of(Unloaded.class).run().succeeds();
  }

  /** Threads of a class with a method that takes what was never loaded. */
  static final class Unloaded extends ClassLoader {

    private final List<String> asked = new CopyOnWriteArrayList<>();

    private Unloaded() {
      super(Unloaded.class.getClassLoader());
    }

    public static void main(String... args) throws Exception {
      Unloaded loader = new Unloaded();
      Thread thread =
          (Thread) loader.loadClass(Odd.class.getName()).getDeclaredConstructor().newInstance();
      thread.setDaemon(true);
      thread.start();
      assertThat(bare().thread(thread)).isPresent();
      assertThat(loader.asked).isNotEmpty().doesNotContain(Odd.Never.class.getName());
      LockSupport.unpark(thread);
      thread.join();
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      asked.add(name);
      if (!name.equals(Odd.class.getName())) {
        return super.loadClass(name, resolve);
      }
      byte[] file = ClassFiles.of(Odd.class);
      return defineClass(name, file, 0, file.length);
    }
  }

  /** A thread that waits for the end. */
  public static final class Odd extends Thread {

    /** One of a kind. */
    public record Never() {}

    public Never with(Never one) {
      return one;
    }

    @Override
    public void run() {
      LockSupport.park();
    }
  }

  private static ThreadDump bare() {
    try (Jvmti jvmti = Jvmti.open()) {
      return jvmti.dumps().take();
    }
  }

  @Test
  void aDumpOutlivesItsEnvironmentAndIsJson() throws Exception {
    ThreadDump dump = bare();
    JsonNode json = new ObjectMapper().readTree(dump.toJson());
    assertThat(json.get("threads")).hasSize(dump.threads().size());
    assertThat(json.get("unknown")).hasSize(7);
    assertThat(dump.toString()).contains("stacks at one safepoint").contains("\"main\" #");
    assertThat(Arrays.asList(dump.vm().split(" "))).contains(Runtime.version().toString());
    assertThat(dump.processId()).hasValue(ManagementFactory.getRuntimeMXBean().getPid());
  }

  @Test
  void aDumpKeepsNothingAlive() throws Exception {
    Taken taken = whileParkedOnAnObjectOfAnotherLoader();
    assertThat(taken.text())
        .contains("- parking to wait for <0x")
        .contains(Blocker.class.getName());
    GcUntil.cleared(taken.thread(), taken.blocker(), taken.loader());
    assertThat(taken.dump()).hasToString(taken.text());
  }

  private record Taken(
      ThreadDump dump,
      String text,
      WeakReference<Thread> thread,
      WeakReference<Object> blocker,
      WeakReference<ClassLoader> loader) {}

  private static Taken whileParkedOnAnObjectOfAnotherLoader() throws Exception {
    Object blocker = new OtherLoader().newBlocker();
    AtomicBoolean over = new AtomicBoolean();
    Thread thread = new Thread(() -> parkOn(blocker, over), "parked on an object");
    thread.start();
    Eventually.isTrue("it is parked", () -> thread.getState() == Thread.State.WAITING);
    ThreadDump dump = JvmTools.threadDump();
    over.set(true);
    LockSupport.unpark(thread);
    thread.join();
    assertThat(dump.thread(thread).orElseThrow().waitsFor().orElseThrow().lock().orElseThrow())
        .isEqualTo(
            new DumpedLock(
                Blocker.class.getName(), System.identityHashCode(blocker), Optional.empty()));
    return new Taken(
        dump,
        dump.toString(),
        new WeakReference<>(thread),
        new WeakReference<>(blocker),
        new WeakReference<>(blocker.getClass().getClassLoader()));
  }

  private static void parkOn(Object blocker, AtomicBoolean over) {
    while (!over.get()) {
      LockSupport.park(blocker);
    }
  }

  /** What a thread is parked on, of a class that the other loader defines. */
  static final class Blocker {}

  private static final class OtherLoader extends ClassLoader {
    Object newBlocker() throws ReflectiveOperationException {
      byte[] bytes = ClassFiles.of(Blocker.class);
      Class<?> type = defineClass(null, bytes, 0, bytes.length);
      var constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      return constructor.newInstance();
    }
  }

  @Test
  void whatIsWrongIsRefused() {
    Jvmti jvmti = Jvmti.open();
    try (jvmti) {
      assertThatNullPointerException()
          .isThrownBy(() -> jvmti.dumps().take((Duration) null))
          .withMessage("deadline");
      assertThatNullPointerException()
          .isThrownBy(() -> JvmTools.threadDump().thread(null))
          .withMessage("thread");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> jvmti.dumps().take(Duration.ZERO))
          .withMessage("deadline must be positive: PT0S");
      assertThat(jvmti.dumps().take(Duration.ofSeconds(Long.MAX_VALUE)).threads()).isNotEmpty();
      assertThat(JvmTools.threadDump().thread(Parked.ended())).isEmpty();
      assertThat(JvmTools.threadDump().thread(Parked.unstarted())).isEmpty();
    }
    assertThatIllegalStateException().isThrownBy(() -> jvmti.dumps().take());
  }
}
