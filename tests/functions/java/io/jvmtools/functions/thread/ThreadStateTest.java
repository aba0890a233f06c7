package io.jvmtools.functions.thread;

import static io.jvmtools.thread.ThreadState.Flag.ALIVE;
import static io.jvmtools.thread.ThreadState.Flag.PARKED;
import static io.jvmtools.thread.ThreadState.Flag.WAITING;
import static io.jvmtools.thread.ThreadState.Flag.WAITING_INDEFINITELY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import io.jvmtools.support.Spec;
import io.jvmtools.thread.ThreadState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadStateTest {

  @Test
  void statesOfManyAreThoseOfEach() {
    try (Jvmti jvmti = Jvmti.open();
        Parked blocked = Parked.onMonitor();
        Parked parked = Parked.inPark()) {
      List<Thread> threads = new ArrayList<>();
      threads.addAll(List.of(blocked.thread(), Parked.ended(), Thread.currentThread()));
      threads.addAll(Collections.nCopies(9_000, parked.thread()));
      threads.add(Parked.unstarted());
      Map<Thread, ThreadState> states = jvmti.threads().states(threads);
      assertThat(states).hasSize(5).containsOnlyKeys(threads.toArray(new Thread[0]));
      states.forEach((thread, state) -> assertThat(state).isEqualTo(jvmti.threads().state(thread)));
      assertThat(jvmti.threads().states(List.of())).isEmpty();
      assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(states::clear);
      assertThatNullPointerException()
          .isThrownBy(() -> jvmti.threads().states(Arrays.asList(parked.thread(), null)))
          .withMessage("threads[1]");
    }
  }

  @Test
  void newThreadReportsNothing() {
    assertState(Parked.unstarted(), 0x0, "new");
  }

  @Test
  void endedThreadReportsTerminated() {
    assertState(Parked.ended(), 0x2, "terminated");
  }

  @Test
  void runningThreadReportsRunnable() {
    try (Parked worker = Parked.inLoop()) {
      assertState(worker.thread(), 0x5, "alive, runnable");
    }
  }

  @Test
  void currentThreadReportsRunnable() {
    assertThat(JvmTools.getThreadState(Thread.currentThread()).isRunnable()).isTrue();
    assertThat(JvmTools.getThreadState(Thread.currentThread()).toJavaState())
        .isEqualTo(Thread.State.RUNNABLE);
  }

  @Test
  void blockedThreadReportsBlockedOnMonitorEnter() {
    try (Parked worker = Parked.onMonitor()) {
      assertState(worker.thread(), 0x401, "alive, blocked on monitor enter");
    }
  }

  @Test
  void waitingThreadReportsInObjectWait() {
    try (Parked worker = Parked.inWait()) {
      assertState(worker.thread(), 0x191, "alive, waiting, indefinitely, in Object.wait");
    }
  }

  @Test
  void threadThatWaitsForATimeReportsTimed() {
    Object monitor = new Object();
    CountDownLatch inside = new CountDownLatch(1);
    Runnable body =
        () -> {
          synchronized (monitor) {
            inside.countDown();
            try {
              monitor.wait(Long.MAX_VALUE);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    Thread[] started = new Thread[1];
    try (Parked worker = Parked.in(body, inside, () -> started[0].interrupt())) {
      started[0] = worker.thread();
      Eventually.isTrue("waiting", () -> worker.thread().getState() == Thread.State.TIMED_WAITING);
      assertState(worker.thread(), 0x1a1, "alive, waiting, timed, in Object.wait");
    }
  }

  @Test
  void sleepingThreadReportsSleeping() {
    try (Parked worker = Parked.inSleep()) {
      assertState(worker.thread(), 0xe1, "alive, waiting, timed, sleeping");
    }
  }

  @Test
  void parkedThreadReportsParked() {
    try (Parked worker = Parked.inPark()) {
      assertState(worker.thread(), 0x291, "alive, waiting, indefinitely, parked");
    }
  }

  @Test
  void threadParkedForATimeReportsTimed() {
    try (Parked worker = Parked.inTimedPark()) {
      assertState(worker.thread(), 0x2a1, "alive, waiting, timed, parked");
    }
  }

  @Test
  void interruptedThreadReportsInterrupted() {
    try (Parked worker = Parked.inLoop()) {
      worker.thread().interrupt();
      assertState(worker.thread(), 0x200005, "alive, runnable, interrupted");
    }
  }

  @Test
  void threadInNativeCodeReportsInNative() throws IOException, InterruptedException {
    try (ServerSocket server = new ServerSocket(0);
        Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      Thread reader = new Thread(() -> read(accepted), "reader");
      reader.setDaemon(true);
      reader.start();
      AtomicReference<ThreadState> seen = new AtomicReference<>();
      // On its way there it enters and leaves native code.
      Eventually.isTrue(
          "the reader is in native code",
          () -> {
            seen.set(JvmTools.getThreadState(reader));
            return seen.get().isInNative();
          });
      assertThat(seen.get().bits()).isEqualTo(0x400005);
      assertThat(seen.get()).hasToString("alive, runnable, in native");
      assertThat(seen.get().toJavaState()).isEqualTo(Thread.State.RUNNABLE);
      client.shutdownOutput();
      reader.join();
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void virtualThreadsReportNewParkedAndTerminated() throws InterruptedException {
    Thread thread;
    try (Parked worker = Parked.virtual()) {
      thread = worker.thread();
      assertState(thread, 0x291, "alive, waiting, indefinitely, parked");
    }
    assertState(thread, 0x2, "terminated");
    assertState(VirtualThreads.unstarted("new"), 0x0, "new");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void carrierReportsWaitingWhileItsVirtualThreadRuns() throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch inside = new CountDownLatch(1);
    Thread running =
        VirtualThreads.start(
            "running",
            () -> {
              inside.countDown();
              while (!over.get()) {
                Thread.onSpinWait();
              }
            });
    inside.await();
    try {
      assertState(running, 0x5, "alive, runnable");
      assertThat(JvmTools.getAllThreads())
          .filteredOn(thread -> thread.getName().startsWith("ForkJoinPool-1-worker-"))
          .anySatisfy(
              carrier -> assertThat(JvmTools.getThreadState(carrier).bits()).isEqualTo(0x91));
    } finally {
      over.set(true);
      running.join();
    }
  }

  @Test
  void stateOfEveryLiveThreadConvertsToWhatJavaSays() {
    List<Parked> threads =
        List.of(
            Parked.inPark(),
            Parked.inTimedPark(),
            Parked.inWait(),
            Parked.inSleep(),
            Parked.onMonitor(),
            Parked.inLoop());
    try {
      for (Parked worker : threads) {
        assertThat(JvmTools.getThreadState(worker.thread()).toJavaState())
            .isEqualTo(worker.thread().getState());
      }
    } finally {
      threads.forEach(Parked::close);
    }
  }

  @Test
  void flagsAreThoseOfTheSpecification() {
    Map<String, Integer> bits = new HashMap<>();
    for (Map<String, String> row : Spec.rows("constants")) {
      String name = row.get("name").replace("JVMTI_THREAD_STATE_", "");
      if (row.get("group").equals("jvmtiThreadState") && !name.startsWith("VENDOR")) {
        bits.put(name, Integer.decode(row.get("value")));
      }
    }
    assertThat(ThreadState.Flag.values()).extracting(Enum::name).hasSameElementsAs(bits.keySet());
    bits.forEach(
        (name, bit) ->
            assertThat(ThreadState.of(bit).flags())
                .containsExactly(ThreadState.Flag.valueOf(name)));
  }

  @ParameterizedTest
  @CsvSource({
    "0x0, NEW",
    "0x2, TERMINATED",
    "0x5, RUNNABLE",
    "0x401, BLOCKED",
    "0x91, WAITING",
    "0xa1, TIMED_WAITING",
    // With bits that the conversion leaves out.
    "0x700005, RUNNABLE",
    "0x200002, TERMINATED",
    // JDK 21 reports this for a parked virtual thread that is suspended.
    "0x100295, WAITING",
  })
  void conversionIsThatOfTheSpecification(String bits, Thread.State expected) {
    assertThat(ThreadState.of(Integer.decode(bits)).toJavaState()).isEqualTo(expected);
  }

  @Test
  void bitsThatHaveNoFlagAreKeptAndPrinted() {
    ThreadState state = ThreadState.of(0x10000005);
    assertThat(state.bits()).isEqualTo(0x10000005);
    assertThat(state).hasToString("alive, runnable, 0x10000000");
    assertThat(state).isNotEqualTo(ThreadState.of(0x5));
    assertThat(ThreadState.of(-1).toString()).endsWith("in native, 0xff8ff808");
  }

  @Test
  void stateIsAValue() {
    ThreadState state = ThreadState.of(0x291);
    assertThat(state).isEqualTo(ThreadState.of(0x291)).hasSameHashCodeAs(ThreadState.of(0x291));
    assertThat(state.flags())
        .containsExactlyInAnyOrder(ALIVE, WAITING, WAITING_INDEFINITELY, PARKED);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> state.flags().clear());
  }

  @Test
  void eachQuestionAsksForItsFlag() throws ReflectiveOperationException {
    for (ThreadState.Flag flag : ThreadState.Flag.values()) {
      int bit =
          IntStream.range(0, Integer.SIZE)
              .map(shift -> 1 << shift)
              .filter(candidate -> ThreadState.of(candidate).has(flag))
              .findFirst()
              .orElseThrow();
      assertThat(question(flag).invoke(ThreadState.of(bit))).isEqualTo(true);
      assertThat(question(flag).invoke(ThreadState.of(~bit))).isEqualTo(false);
    }
  }

  private static Method question(ThreadState.Flag flag) throws NoSuchMethodException {
    StringBuilder name = new StringBuilder("is");
    for (String word : flag.name().split("_")) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return ThreadState.class.getMethod(name.toString());
  }

  private static void read(Socket socket) {
    try {
      socket.getInputStream().read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Both doors, the value's words, and what Java itself says. */
  private static void assertState(Thread thread, int bits, String words) {
    ThreadState state = JvmTools.getThreadState(thread);
    assertThat(state).isEqualTo(ThreadState.of(bits)).hasToString(words);
    assertThat(state.toJavaState()).isEqualTo(thread.getState());
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.threads().state(thread)).isEqualTo(state);
    }
  }
}
