package io.jvmtools.functions.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.internal.objects.MonitorNatives;
import io.jvmtools.objects.RawMonitor;
import io.jvmtools.objects.WaitEnd;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Parked;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Vector;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * CreateRawMonitor, DestroyRawMonitor, RawMonitorEnter, RawMonitorExit, RawMonitorWait,
 * RawMonitorNotify, RawMonitorNotifyAll.
 */
class RawMonitorsTest {

  private static final Duration LONG = Duration.ofMinutes(10);

  private final Jvmti jvmti = Jvmti.open(Capability.CAN_SUSPEND);
  private final RawMonitor monitor = jvmti.rawMonitors().create("a monitor");

  @AfterEach
  void close() {
    jvmti.close();
  }

  /** How to start a thread of a kind. */
  private interface Kind extends BiFunction<String, Runnable, Thread> {}

  static Stream<Kind> kinds() {
    Kind platform = RawMonitorsTest::platform;
    Kind virtual = VirtualThreads::start;
    return Parked.hasVirtualThreads() ? Stream.of(platform, virtual) : Stream.of(platform);
  }

  private static Thread platform(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Test
  void anActionReturnsAndThrowsWhatItLikes() throws Exception {
    assertThat(monitor.hold(() -> "result")).isEqualTo("result");
    assertThat(monitor.<String>hold(() -> null)).isNull();
    Exception checked = new Exception("checked");
    assertThatExceptionOfType(Exception.class)
        .isThrownBy(() -> monitor.hold(() -> asItIs(checked)))
        .isSameAs(checked);
    // It was left each time.
    join(platform("next", () -> monitor.hold(() -> "left")));
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> String asItIs(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Test
  void oneThreadAtATimeHoldsIt() throws Exception {
    int[] count = new int[1];
    AtOnce.run(4, number -> inTurn(count, 5_000));
    assertThat(count[0]).isEqualTo(20_000);
  }

  /** To the JVM it is the carrier that holds it. */
  @Test
  void oneVirtualThreadAtATimeHoldsIt() throws Exception {
    int[] count = new int[1];
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 300 && Parked.hasVirtualThreads(); i++) {
      threads.add(VirtualThreads.start("in turn", () -> inTurn(count, 10)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(count[0]).isEqualTo(threads.size() * 10);
  }

  private void inTurn(int[] count, int times) {
    for (int i = 0; i < times; i++) {
      monitor.hold(
          () -> {
            int before = count[0];
            Thread.yield();
            count[0] = before + 1;
            return count;
          });
    }
  }

  @Test
  void whoHoldsItMayDoSoAgain() throws Exception {
    List<String> order = new Vector<>();
    Thread[] other = new Thread[1];
    monitor.hold(
        () -> {
          other[0] = platform("other", () -> monitor.hold(() -> order.add("other")));
          monitor.hold(() -> order.add("inner"));
          order.add("outer");
          return order;
        });
    other[0].join();
    assertThat(order).containsExactly("inner", "outer", "other");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aWaitEndsWithASignal(Kind kind) throws Exception {
    Waiter waiter = new Waiter(kind);
    monitor.hold(this::signal);
    assertThat(waiter.end()).isEqualTo("SIGNALLED");
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aWaitEndsWithItsTime(Kind kind) throws Exception {
    BlockingQueue<WaitEnd> ends = new LinkedBlockingQueue<>();
    Duration time = Duration.ofNanos(1);
    join(kind.apply("waits", () -> ends.add(monitor.hold(() -> monitor.await(time)))));
    assertThat(ends).containsExactly(WaitEnd.TIMED_OUT);
  }

  /** Longer than the library lets the JVM wait at a time. */
  @Test
  void aWaitTakesItsTime() {
    long start = System.nanoTime();
    WaitEnd end = monitor.hold(() -> monitor.await(Duration.ofMillis(700)));
    assertThat(end).isEqualTo(WaitEnd.TIMED_OUT);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(699));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aWaitEndsWithAnInterruptWhichIsOverThen(Kind kind) throws Exception {
    Waiter waiter = new Waiter(kind);
    waiter.thread.interrupt();
    assertThat(waiter.end()).isEqualTo("INTERRUPTED");
    assertThat(waiter.isStillInterrupted).isFalse();
  }

  @Test
  void whoIsInterruptedAlreadyDoesNotWait() {
    Thread.currentThread().interrupt();
    assertThat(monitor.hold(() -> monitor.await(LONG))).isEqualTo(WaitEnd.INTERRUPTED);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void whoHasItTwiceGivesItUpWhileHeWaits() throws Exception {
    Waiter waiter = new Waiter(platforms(), 2);
    monitor.hold(this::signal);
    assertThat(waiter.end()).isEqualTo("SIGNALLED");
  }

  @Test
  void aSignalIsForOneThread() throws Exception {
    BlockingQueue<Waiter> ended = new LinkedBlockingQueue<>();
    List<Waiter> waiters =
        Stream.generate(() -> new Waiter(platforms(), 1, ended)).limit(3).toList();
    monitor.hold(this::signal);
    Waiter first = ended.take();
    assertThat(first.end()).isEqualTo("SIGNALLED");
    for (Waiter waiter : waiters) {
      if (waiter != first) {
        waiter.thread.interrupt();
        assertThat(waiter.end()).isEqualTo("INTERRUPTED");
      }
    }
  }

  @Test
  void allCanBeSignalled() throws Exception {
    List<Waiter> waiters = Stream.generate(() -> new Waiter(platforms())).limit(5).toList();
    monitor.hold(
        () -> {
          monitor.signalAll();
          return monitor;
        });
    for (Waiter waiter : waiters) {
      assertThat(waiter.end()).isEqualTo("SIGNALLED");
    }
  }

  private static Kind platforms() {
    return RawMonitorsTest::platform;
  }

  @Test
  void aSignalForNobodyIsLost() {
    monitor.hold(this::signal);
    WaitEnd end = monitor.hold(() -> monitor.await(Duration.ofMillis(1)));
    assertThat(end).isEqualTo(WaitEnd.TIMED_OUT);
  }

  private RawMonitor signal() {
    monitor.signal();
    return monitor;
  }

  @Test
  void whoDoesNotHoldItIsRefused() throws Exception {
    Holder holder = new Holder();
    assertThat(holder.thread.isAlive()).isTrue();
    assertThatExceptionOfType(JvmtiException.class)
        .isThrownBy(() -> monitor.await(LONG))
        .withMessageContaining("does not hold the raw monitor");
    assertThatExceptionOfType(JvmtiException.class).isThrownBy(monitor::signal);
    assertThatExceptionOfType(JvmtiException.class).isThrownBy(monitor::signalAll);
    holder.letGo();
  }

  @Test
  void whatIsClosedIsRefused() {
    monitor.close();
    monitor.close();
    assertClosed(() -> monitor.hold(() -> "not done"), "this raw monitor is closed");
    jvmti.close();
    monitor.close();
    assertClosed(
        () -> monitor.hold(() -> "not done"), "this environment is closed; open another one");
    assertClosed(
        () -> jvmti.rawMonitors().create("late"), "this environment is closed; open another one");
  }

  private static void assertClosed(Runnable call, String message) {
    assertThatIllegalStateException().isThrownBy(call::run).withMessage(message);
  }

  @Test
  void nullAndNoTimeAreRefused() {
    assertThatNullPointerException().isThrownBy(() -> monitor.hold(null)).withMessage("action");
    assertThatNullPointerException().isThrownBy(() -> monitor.await(null)).withMessage("deadline");
    for (Duration none : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> monitor.await(none))
          .withMessageStartingWith("deadline must be positive");
    }
  }

  @Test
  void itKnowsItsName() {
    assertThat(monitor.name()).isEqualTo("a monitor");
    assertThat(monitor).hasToString("RawMonitor[a monitor]");
    String odd = "\0\ud800 \ud83d\ude00".repeat(10_000);
    assertThat(jvmti.rawMonitors().create(odd).name()).isEqualTo(odd);
  }

  @Test
  void itCanBeClosedByWhoHoldsIt() {
    String result =
        monitor.hold(
            () -> {
              monitor.close();
              return "goes on";
            });
    assertThat(result).isEqualTo("goes on");
    assertClosed(monitor::signal, "this raw monitor is closed");
  }

  @Test
  void closingWaitsForNobodyAndSendsThoseWhoWantItAway() throws Exception {
    BlockingQueue<String> said = new LinkedBlockingQueue<>();
    Holder holder = new Holder();
    CountDownLatch starts = new CountDownLatch(1);
    Thread next =
        platform(
            "wants it",
            () -> {
              starts.countDown();
              said.add(message(() -> monitor.hold(() -> said.add("it has run"))));
            });
    starts.await();
    Eventually.isTrue("it waits", () -> isIn(next, "rawMonitorEnter"));
    monitor.close();
    assertThat(holder.thread.isAlive()).isTrue();
    holder.letGo();
    next.join();
    assertThat(said).containsExactly("this raw monitor is closed");
  }

  @Test
  void closingSendsThoseWhoWaitInItAway() throws Exception {
    List<Waiter> waiters = Stream.generate(() -> new Waiter(platforms())).limit(3).toList();
    monitor.close();
    for (Waiter waiter : waiters) {
      assertThat(waiter.end()).isEqualTo("this raw monitor is closed");
    }
  }

  @Test
  void closingTheEnvironmentClosesItsMonitors() throws Exception {
    Waiter waiter = new Waiter(platforms());
    try (Jvmti other = Jvmti.open();
        RawMonitor theirs = other.rawMonitors().create("a monitor")) {
      jvmti.close();
      assertThat(waiter.end()).isEqualTo("this raw monitor is closed");
      assertThat(theirs.hold(() -> "open")).isEqualTo("open");
    }
  }

  /** Who is in a monitor is not inside the environment, for which closing would wait. */
  @Test
  @SuppressWarnings("ReachabilityFenceUsage") // The environment is closed when its owner is gone.
  void closingTheEnvironmentWaitsForNobodyInAMonitor() throws Exception {
    NativeLibrary.load();
    Object owner = new Object();
    long env = GeneralNatives.open(owner);
    // It has one of the JVM's own then, which is disposed of.
    CapabilitiesNatives.addCapabilities(env, CapabilitiesNatives.getPotentialCapabilities(env) & 1);
    long handle = MonitorNatives.createRawMonitor(env, owner, "left open");
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch letGo = new CountDownLatch(1);
    Thread holder = platform("holds", () -> hold(env, handle, held, letGo));
    held.await();
    Thread next = platform("wants it", () -> hold(env, handle, held, letGo));
    Eventually.isTrue("it waits", () -> isIn(next, "rawMonitorEnter"));
    assertThat(GeneralNatives.close(env)).isTrue();
    assertThat(holder.isAlive()).isTrue();
    letGo.countDown();
    holder.join();
    next.join();
    Reference.reachabilityFence(owner);
  }

  private static void hold(long env, long handle, CountDownLatch held, CountDownLatch letGo) {
    try {
      MonitorNatives.rawMonitorEnter(
          env,
          handle,
          () -> {
            held.countDown();
            awaitQuietly(letGo);
          });
    } catch (IllegalStateException closed) {
      // The one that came to it later.
    }
  }

  @Test
  void aMonitorThatCannotBeReachedIsClosed() {
    Object owner = new Object();
    long env = GeneralNatives.open(owner);
    Forgotten forgotten = forget(env);
    GcUntil.cleared(forgotten.owner);
    Eventually.isTrue("it is closed", () -> isClosed(env, forgotten.handle));
    GeneralNatives.close(env);
  }

  /** A monitor, and whom it belonged to. */
  private record Forgotten(long handle, WeakReference<Object> owner) {}

  private static Forgotten forget(long env) {
    Object owner = new Object();
    long handle = MonitorNatives.createRawMonitor(env, owner, "forgotten");
    assertThat(isClosed(env, handle)).isFalse();
    return new Forgotten(handle, new WeakReference<>(owner));
  }

  private static boolean isClosed(long env, long handle) {
    try {
      MonitorNatives.rawMonitorEnter(env, handle, () -> {});
      return false;
    } catch (IllegalStateException refused) {
      return true;
    }
  }

  @Test
  void theMonitorOfAnotherEnvironmentIsNone() {
    Object owner = new Object();
    try (Jvmti other = Jvmti.open()) {
      long theirs = GeneralNatives.open(owner);
      long handle = MonitorNatives.createRawMonitor(theirs, owner, "theirs");
      long ours = GeneralNatives.open(other);
      MonitorNatives.destroyRawMonitor(ours, handle);
      assertClosed(
          () -> MonitorNatives.rawMonitorNotify(ours, handle), "this raw monitor is closed");
      for (long forged : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
        assertClosed(
            () -> MonitorNatives.rawMonitorEnter(ours, forged, () -> {}),
            "this raw monitor is closed");
        MonitorNatives.destroyRawMonitor(forged, forged);
      }
      MonitorNatives.rawMonitorEnter(theirs, handle, () -> {});
      GeneralNatives.close(theirs);
      GeneralNatives.close(ours);
    }
  }

  /** Nobody can be resumed by who waits for them: closing resumes what was suspended. */
  @Test
  void aSuspendedHolderKeepsOthersWaitingAndNotClosing() throws Exception {
    Holder holder = new Holder();
    jvmti.threads().suspend(holder.thread);
    Thread next = platform("wants it", () -> message(() -> monitor.hold(() -> "late")));
    Eventually.isTrue("it waits", () -> isIn(next, "rawMonitorEnter"));
    monitor.close();
    jvmti.close();
    holder.letGo();
    next.join();
  }

  @Test
  void whoIsSuspendedWhileHeWaitsGoesOnLater() throws Exception {
    Waiter waiter = new Waiter(platforms());
    jvmti.threads().suspend(waiter.thread);
    monitor.hold(this::signal);
    assertThat(JvmTools.getThreadState(waiter.thread).isSuspended()).isTrue();
    jvmti.threads().resume(waiter.thread);
    assertThat(waiter.end()).isEqualTo("SIGNALLED");
  }

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void aDeadlockKeepsNothingFromEnding() {
    ChildJvm.of(Deadlocked.class).run().succeeds();
  }

  /** Each of two threads wants what the other one holds. */
  static final class Deadlocked {
    public static void main(String[] args) {
      Jvmti jvmti = Jvmti.open(Capability.CAN_TAG_OBJECTS);
      RawMonitor one = jvmti.rawMonitors().create("one");
      RawMonitor other = jvmti.rawMonitors().create("other");
      CountDownLatch both = new CountDownLatch(2);
      Thread first = platform("first", () -> both(one, other, both));
      Thread second = platform("second", () -> both(other, one, both));
      Eventually.isTrue("both wait", () -> isWaiting(first) && isWaiting(second));
      // The JVM looks at what they wait for.
      assertThat(JvmTools.threadDump().threads()).isNotEmpty();
      ManagementFactory.getThreadMXBean().findDeadlockedThreads();
      one.close();
      jvmti.close();
      System.exit(0);
    }

    private static boolean isWaiting(Thread thread) {
      return Stream.of(thread.getStackTrace())
              .filter(frame -> frame.getMethodName().equals("rawMonitorEnter"))
              .count()
          == 2;
    }

    private static void both(RawMonitor one, RawMonitor other, CountDownLatch both) {
      one.hold(
          () -> {
            both.countDown();
            awaitQuietly(both);
            return other.hold(() -> "never");
          });
    }
  }

  /** A thread that holds the monitor until it is let go. */
  private final class Holder {

    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    Holder() throws InterruptedException {
      CountDownLatch held = new CountDownLatch(1);
      thread =
          platform(
              "holds",
              () ->
                  monitor.hold(
                      () -> {
                        held.countDown();
                        awaitQuietly(over);
                        return "done";
                      }));
      held.await();
    }

    void letGo() throws InterruptedException {
      over.countDown();
      thread.join();
    }
  }

  /** A thread that waits in the monitor. */
  private final class Waiter {

    private final Thread thread;
    private volatile boolean waits;
    private volatile boolean isStillInterrupted;
    private volatile String answer = "";

    Waiter(Kind kind) {
      this(kind, 1);
    }

    Waiter(Kind kind, int depth) {
      this(kind, depth, new LinkedBlockingQueue<>());
    }

    Waiter(Kind kind, int depth, BlockingQueue<Waiter> ended) {
      thread =
          kind.apply(
              "waits",
              () -> {
                answer = message(() -> enter(depth));
                ended.add(this);
              });
      Eventually.isTrue("it is inside", () -> waits);
      // Nobody else comes in before it waits.
      monitor.hold(() -> "it waits");
    }

    private Object enter(int depth) {
      return monitor.hold(
          () -> {
            if (depth > 1) {
              return enter(depth - 1);
            }
            waits = true;
            WaitEnd end = monitor.await(LONG);
            isStillInterrupted = Thread.currentThread().isInterrupted();
            return end;
          });
    }

    String end() throws InterruptedException {
      join(thread);
      return answer;
    }
  }

  /** What a call returns, or the message of what it throws. */
  private static String message(Supplier<Object> call) {
    try {
      return String.valueOf(call.get());
    } catch (IllegalStateException refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  private static boolean isIn(Thread thread, String method) {
    StackTraceElement[] frames = thread.getStackTrace();
    return frames.length > 0 && frames[0].getMethodName().equals(method);
  }

  private static void join(Thread thread) throws InterruptedException {
    thread.join();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
