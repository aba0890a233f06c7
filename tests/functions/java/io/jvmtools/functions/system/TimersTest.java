package io.jvmtools.functions.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.NotSupportedException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import io.jvmtools.system.TimerInfo;
import io.jvmtools.system.TimerKind;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TimersTest {

  private static final TimerInfo ELAPSED = new TimerInfo(TimerKind.ELAPSED, -1, false, false);
  private static final TimerInfo CPU = new TimerInfo(TimerKind.TOTAL_CPU, -1, false, false);

  private final ThreadMXBean management = ManagementFactory.getThreadMXBean();
  private final Jvmti jvmti =
      Jvmti.open(Capability.CAN_GET_CURRENT_THREAD_CPU_TIME, Capability.CAN_GET_THREAD_CPU_TIME);

  @AfterEach
  void close() {
    jvmti.close();
  }

  @Test
  void timeIsTheOneOfNanoTime() {
    long before = System.nanoTime();
    long door = JvmTools.getTimeNanos();
    Duration facet = jvmti.timers().time();
    long after = System.nanoTime();
    assertThat(Stream.of(before, door, facet.toNanos(), after)).isSorted();
  }

  @Test
  void processorsAreThoseOfRuntime() {
    int expected = Runtime.getRuntime().availableProcessors();
    assertThat(JvmTools.getAvailableProcessors()).isEqualTo(expected);
    assertThat(jvmti.timers().availableProcessors()).isEqualTo(expected);
  }

  @Test
  void cpuTimeOfTheCurrentThreadIsTheOneOfManagement() {
    long before = management.getCurrentThreadCpuTime();
    long door = JvmTools.getCurrentThreadCpuTimeNanos();
    Duration facet = jvmti.timers().currentThreadCpuTime();
    long named = JvmTools.getThreadCpuTimeNanos(Thread.currentThread());
    long after = management.getCurrentThreadCpuTime();
    assertThat(Stream.of(before, door, facet.toNanos(), named, after)).isSorted();
    assertThat(before).isPositive();
  }

  @Test
  void cpuTimeOfAParkedThreadIsTheOneOfManagement() {
    try (Parked worker = Parked.inPark()) {
      @SuppressWarnings("deprecation") // threadId() came with 19
      long id = worker.thread().getId();
      long before = management.getThreadCpuTime(id);
      long door = JvmTools.getThreadCpuTimeNanos(worker.thread());
      Duration facet = jvmti.timers().threadCpuTime(worker.thread());
      long after = management.getThreadCpuTime(id);
      assertThat(Stream.of(before, door, facet.toNanos(), after)).isSorted();
      // Windows counts in ticks, which are longer than it takes to start.
      assertThat(before).isGreaterThanOrEqualTo(OS.WINDOWS.isCurrentOs() ? 0 : 1);
    }
  }

  @Test
  void cpuTimesOfManyAreThoseOfEachThatHasOne() {
    try (Parked one = Parked.inPark();
        Parked other = Parked.inWait()) {
      List<Thread> all = new ArrayList<>();
      all.addAll(List.of(one.thread(), Parked.ended(), other.thread(), Parked.unstarted()));
      all.add(one.thread());
      Thread self = Thread.currentThread();
      all.add(self);
      Duration before = jvmti.timers().threadCpuTime(one.thread());
      Map<Thread, Duration> times = jvmti.timers().threadCpuTimes(all);
      assertThat(times).containsOnlyKeys(one.thread(), other.thread(), self);
      // Its state is told a moment before it stands.
      assertThat(times.get(one.thread()))
          .isBetween(before, jvmti.timers().threadCpuTime(one.thread()))
          .isNotEqualTo(times.get(self));
    }
    assertThatNullPointerException()
        .isThrownBy(() -> jvmti.timers().threadCpuTimes(Arrays.asList((Thread) null)))
        .withMessage("threads[0]");
  }

  @Test
  void whoAsksForTheTimesOfNobodyIsToldTooWhatIsMissing() {
    assertThat(jvmti.timers().threadCpuTimes(List.of())).isEmpty();
    Jvmti without = Jvmti.open();
    assertThatExceptionOfType(MissingCapabilityException.class)
        .isThrownBy(() -> without.timers().threadCpuTimes(List.of()));
    without.close();
    assertThatIllegalStateException().isThrownBy(() -> without.timers().threadCpuTimes(List.of()));
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void cpuTimesOfManyLeaveVirtualThreadsOut() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(VirtualThreads.start("v" + i, () -> assertThatNoException().isThrownBy(over::await)));
    }
    all.add(1, Thread.currentThread());
    assertThat(jvmti.timers().threadCpuTimes(all)).containsOnlyKeys(Thread.currentThread());
    CompletableFuture<Map<Thread, Duration>> ofItself = new CompletableFuture<>();
    VirtualThreads.start(
        "asking",
        () -> {
          all.add(Thread.currentThread());
          ofItself.complete(jvmti.timers().threadCpuTimes(all));
        });
    assertThat(ofItself.get()).containsOnlyKeys(Thread.currentThread());
    over.countDown();
  }

  @Test
  void cpuTimeOfARunningThreadGrows() {
    try (Parked worker = Parked.inLoop()) {
      long first = JvmTools.getThreadCpuTimeNanos(worker.thread());
      Eventually.isTrue(
          "the CPU time has grown by a millisecond",
          () -> JvmTools.getThreadCpuTimeNanos(worker.thread()) > first + 1_000_000);
    }
  }

  @Test
  void timersSayWhatTheyMeasure() {
    assertThat(JvmTools.getTimerInfo()).isEqualTo(ELAPSED);
    assertThat(JvmTools.getCurrentThreadCpuTimerInfo()).isEqualTo(CPU);
    assertThat(JvmTools.getThreadCpuTimerInfo()).isEqualTo(CPU);
    assertThat(jvmti.timers().timerInfo()).isEqualTo(ELAPSED);
    assertThat(jvmti.timers().currentThreadCpuTimerInfo()).isEqualTo(CPU);
    assertThat(jvmti.timers().threadCpuTimerInfo()).isEqualTo(CPU);
  }

  @Test
  void timerInfoPrintsItsLimitAsAnUnsignedNumber() {
    assertThat(CPU).hasToString("TOTAL_CPU, at most 18446744073709551615 ns, never skips");
    assertThat(new TimerInfo(TimerKind.USER_CPU, 5, true, true))
        .hasToString("USER_CPU, at most 5 ns, may skip both ways");
    assertThat(new TimerInfo(TimerKind.USER_CPU, 5, true, false))
        .hasToString("USER_CPU, at most 5 ns, may skip forward");
    assertThat(new TimerInfo(TimerKind.USER_CPU, 5, false, true))
        .hasToString("USER_CPU, at most 5 ns, may skip backward");
  }

  @Test
  void deadAndNewThreadsHaveNoCpuTime() {
    for (Thread thread : new Thread[] {Parked.ended(), Parked.unstarted()}) {
      assertThatExceptionOfType(ThreadNotAliveException.class)
          .isThrownBy(() -> JvmTools.getThreadCpuTimeNanos(thread))
          .withMessage(
              "GetThreadCpuTime: JVMTI_ERROR_THREAD_NOT_ALIVE (15): the thread \""
                  + thread.getName()
                  + "\" has not started yet, or has ended");
      assertThatExceptionOfType(ThreadNotAliveException.class)
          .isThrownBy(() -> jvmti.timers().threadCpuTime(thread))
          .satisfies(e -> assertThat(e.code()).isEqualTo(15));
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void cpuTimeOfAVirtualThreadIsNotSupported() {
    try (Parked worker = Parked.virtual()) {
      assertNotSupported("GetThreadCpuTime", () -> JvmTools.getThreadCpuTimeNanos(worker.thread()));
      assertNotSupported("GetThreadCpuTime", () -> jvmti.timers().threadCpuTime(worker.thread()));
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void cpuTimeOfTheCurrentThreadIsNotSupportedIfThatIsVirtual() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    VirtualThreads.start(
        "asks",
        () -> {
          try {
            assertNotSupported("GetCurrentThreadCpuTime", JvmTools::getCurrentThreadCpuTimeNanos);
            assertNotSupported(
                "GetThreadCpuTime", () -> JvmTools.getThreadCpuTimeNanos(Thread.currentThread()));
            done.complete(null);
          } catch (AssertionError | RuntimeException e) {
            done.completeExceptionally(e);
          }
        });
    done.join();
  }

  static Stream<Arguments> functionsThatNeedACapability() {
    Capability current = Capability.CAN_GET_CURRENT_THREAD_CPU_TIME;
    Capability any = Capability.CAN_GET_THREAD_CPU_TIME;
    return Stream.of(
        needs("GetCurrentThreadCpuTime", current, j -> j.timers().currentThreadCpuTime()),
        needs("GetCurrentThreadCpuTimerInfo", current, j -> j.timers().currentThreadCpuTimerInfo()),
        needs("GetThreadCpuTime", any, j -> j.timers().threadCpuTime(Thread.currentThread())),
        needs("GetThreadCpuTimerInfo", any, j -> j.timers().threadCpuTimerInfo()));
  }

  @ParameterizedTest
  @MethodSource("functionsThatNeedACapability")
  void cpuTimerWithoutItsCapabilityNamesTheRemedy(
      String function, Capability capability, Consumer<Jvmti> call) {
    try (Jvmti bare = Jvmti.open()) {
      assertThatExceptionOfType(MissingCapabilityException.class)
          .isThrownBy(() -> call.accept(bare))
          .withMessage(
              "%s: JVMTI_ERROR_MUST_POSSESS_CAPABILITY (99): %s is free, but this environment did"
                  + " not ask for it: open one with Jvmti.open(%2$s), or call add(%2$s) on your"
                  + " own Jvmti",
              function, capability)
          .satisfies(
              e -> {
                assertThat(e.capability()).isEqualTo(capability);
                assertThat(e.reason()).isEqualTo(Reason.NOT_REQUESTED);
                assertThat(e.function()).isEqualTo(function);
              });
      bare.add(capability);
      call.accept(bare);
    }
  }

  private static Arguments needs(String function, Capability capability, Consumer<Jvmti> call) {
    return Arguments.of(function, capability, call);
  }

  private static void assertNotSupported(String function, ThrowingCallable call) {
    assertThatExceptionOfType(NotSupportedException.class)
        .isThrownBy(call)
        .withMessage(
            function
                + ": JVMTI_ERROR_UNSUPPORTED_OPERATION (73): this JVM cannot do it for this kind"
                + " of thread")
        .satisfies(e -> assertThat(((JvmtiException) e).code()).isEqualTo(73));
  }
}
