package io.jvmtools.functions.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.functions.Deep;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Parked;
import io.jvmtools.thread.ThreadInfo;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadsTest {

  @Test
  void allThreadsAreThoseThatJavaLists() {
    List<Parked> pool = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        pool.add(Parked.inPark());
      }
      Set<Thread> before = Thread.getAllStackTraces().keySet();
      List<Thread> all = JvmTools.getAllThreads();
      Set<Thread> after = Thread.getAllStackTraces().keySet();

      assertThat(all).doesNotHaveDuplicates();
      assertThat(all).contains(Thread.currentThread());
      assertThat(all).containsAll(pool.stream().map(Parked::thread).toList());
      // The JDK may start or end a thread of its own meanwhile.
      Set<Thread> throughout = new HashSet<>(before);
      throughout.retainAll(after);
      Set<Thread> ever = new HashSet<>(before);
      ever.addAll(after);
      assertThat(all).containsAll(throughout);
      assertThat(ever).containsAll(all);
      try (Jvmti jvmti = Jvmti.open()) {
        List<Thread> own = jvmti.threads().all();
        throughout.retainAll(Thread.getAllStackTraces().keySet());
        assertThat(own).containsAll(throughout);
      }
    } finally {
      pool.forEach(Parked::close);
    }
  }

  @Test
  void allThreadsHaveNoneThatIsNewOrHasEnded() {
    assertThat(JvmTools.getAllThreads()).doesNotContain(Parked.ended(), Parked.unstarted());
  }

  @Test
  void theCurrentThreadIsTheCallingOne() throws Exception {
    try (Jvmti jvmti = Jvmti.open()) {
      AtOnce.run(
          3,
          number -> {
            assertThat(JvmTools.getCurrentThread()).isSameAs(Thread.currentThread());
            assertThat(jvmti.threads().current()).isSameAs(Thread.currentThread());
          });
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void theCurrentThreadCanBeAVirtualOne() throws InterruptedException {
    AtomicReference<Thread> current = new AtomicReference<>();
    Thread virtual =
        VirtualThreads.start("virtual", () -> current.set(JvmTools.getCurrentThread()));
    virtual.join();
    assertThat(current.get()).isSameAs(virtual);
  }

  @Test
  void allThreadsCannotBeChanged() {
    List<Thread> all = JvmTools.getAllThreads();
    assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(all::clear);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void allThreadsHaveNoVirtualOnes() {
    try (Parked worker = Parked.virtual()) {
      assertThat(JvmTools.getAllThreads()).doesNotContain(worker.thread());
    }
  }

  @Test
  void infoIsWhatTheThreadSaysOfItself() {
    ThreadGroup group = new ThreadGroup("a group");
    ClassLoader loader = new URLClassLoader("a loader", new URL[0], null);
    for (int priority = Thread.MIN_PRIORITY; priority <= Thread.MAX_PRIORITY; priority++) {
      Thread thread = new Thread(group, () -> {}, "number " + priority);
      thread.setPriority(priority);
      thread.setDaemon(priority % 2 == 0);
      thread.setContextClassLoader(loader);
      assertInfo(thread);
      assertThat(JvmTools.getThreadInfo(thread).group()).containsSame(group);
      assertThat(JvmTools.getThreadInfo(thread).contextClassLoader()).containsSame(loader);
    }
  }

  @Test
  void infoOfEveryLiveThreadIsWhatItSaysOfItself() {
    try (Parked worker = Parked.inPark()) {
      assertInfo(worker.thread());
      assertInfo(Thread.currentThread());
      assertThat(JvmTools.getAllThreads()).contains(worker.thread());
    }
  }

  @Test
  void infoOfAThreadWithoutAContextClassLoaderHasNone() {
    Thread thread = new Thread(() -> {});
    thread.setContextClassLoader(null);
    assertThat(JvmTools.getThreadInfo(thread).contextClassLoader()).isEmpty();
  }

  @Test
  void infoOfAThreadThatHasEndedHasNoGroup() {
    Thread ended = Parked.ended();
    ThreadInfo info = JvmTools.getThreadInfo(ended);
    assertThat(info.name()).isEqualTo(ended.getName());
    assertThat(info.isDaemon()).isTrue();
    assertThat(info.group()).isEmpty();
    assertThat(info.contextClassLoader())
        .isEqualTo(Optional.ofNullable(ended.getContextClassLoader()));
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void infoOfAVirtualThreadIsWhatItSaysOfItself() {
    try (Deep named = Deep.virtual(0);
        Parked unnamed = Parked.virtual()) {
      assertInfo(named.thread());
      assertInfo(unnamed.thread());
      assertThat(JvmTools.getThreadInfo(unnamed.thread()).name()).isEmpty();
      assertThat(JvmTools.getThreadInfo(named.thread()).group().orElseThrow().getName())
          .isEqualTo("VirtualThreads");
    }
    assertInfo(VirtualThreads.unstarted("a virtual one"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "plain",
        "a\0b\0",
        "gr\u00fc\u00dfe",
        "\u65e5\u672c\u8a9e",
        "\ud83d\ude00 supplementary \ud835\udcb3",
        "unpaired \ud800 surrogates \udfff",
        "\uffff\ufffe"
      })
  void nameSurvivesTheRoundTrip(String name) {
    Thread thread = new Thread(() -> {}, name);
    assertThat(JvmTools.getThreadInfo(thread).name()).isEqualTo(name);
  }

  @Test
  void aLongNameSurvivesTheRoundTrip() {
    String name = "\ud83d\ude00".repeat(50_000);
    assertThat(JvmTools.getThreadInfo(new Thread(() -> {}, name)).name()).isEqualTo(name);
  }

  @Test
  void infoIsAValue() {
    Thread thread = new Thread(new ThreadGroup("inner"), () -> {}, "worker");
    thread.setDaemon(true);
    thread.setPriority(7);
    ThreadInfo info = JvmTools.getThreadInfo(thread);
    ThreadInfo again = JvmTools.getThreadInfo(thread);
    assertThat(info).isEqualTo(again).hasSameHashCodeAs(again);
    assertThat(info).hasToString("\"worker\" priority 7, daemon, group inner");
    thread.setPriority(8);
    assertThat(JvmTools.getThreadInfo(thread)).isNotEqualTo(info);
  }

  @Test
  void infoKeepsNoClassLoaderAlive() {
    ClassLoader own = new URLClassLoader("own", new URL[0], null);
    WeakReference<ClassLoader> loader = new WeakReference<>(own);
    ThreadInfo info = infoWith(own);
    own = null;
    GcUntil.cleared(loader);
    assertThat(info.contextClassLoader()).isEmpty();
    assertThat(info.name()).isEqualTo("short-lived");
  }

  @Test
  void interruptSetsTheStatusOfARunningThread() {
    try (Parked worker = Parked.inLoop();
        Jvmti jvmti = Jvmti.open(Capability.CAN_SIGNAL_THREAD)) {
      assertThat(worker.thread().isInterrupted()).isFalse();
      jvmti.threads().interrupt(worker.thread());
      assertThat(worker.thread().isInterrupted()).isTrue();
    }
  }

  @Test
  void interruptWakesWhatSleepsAndWaits() throws InterruptedException {
    for (Parked worker : List.of(Parked.inSleep(), Parked.inWait())) {
      JvmTools.interruptThread(worker.thread());
      worker.thread().join();
    }
  }

  @Test
  void aThreadCanInterruptItself() {
    JvmTools.interruptThread(Thread.currentThread());
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void interruptReachesVirtualThreads() {
    try (Parked worker = Parked.virtual()) {
      JvmTools.interruptThread(worker.thread());
      assertThat(worker.thread().isInterrupted()).isTrue();
    }
  }

  @Test
  void stopMakesALoopThrow() throws InterruptedException {
    for (Throwable exception : List.of(new IllegalStateException("stopped"), new IOException())) {
      AtomicReference<Throwable> death = new AtomicReference<>();
      Thread thread = Parked.inLoop().thread();
      thread.setUncaughtExceptionHandler((dying, cause) -> death.set(cause));
      JvmTools.stopThread(thread, exception);
      thread.join();
      assertThat(death.get()).isSameAs(exception);
    }
  }

  @Test
  void aThreadCanStopItself() throws InterruptedException {
    Throwable exception = new IllegalStateException("stopped");
    AtomicReference<Throwable> death = new AtomicReference<>();
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_SIGNAL_THREAD)) {
      Thread thread = new Thread(() -> stopCaller(jvmti, exception));
      thread.setUncaughtExceptionHandler((dying, cause) -> death.set(cause));
      thread.start();
      thread.join();
    }
    assertThat(death.get()).isSameAs(exception);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aVirtualThreadThatIsNotSuspendedCannotBeStopped() {
    try (Parked worker = Parked.virtual()) {
      assertThatExceptionOfType(ThreadNotSuspendedException.class)
          .isThrownBy(() -> JvmTools.stopThread(worker.thread(), new IOException()));
    }
  }

  @Test
  void signalsNeedTheirCapability() {
    Thread thread = Thread.currentThread();
    try (Jvmti bare = Jvmti.open()) {
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> bare.threads().interrupt(thread),
              () -> bare.threads().stop(thread, new IOException()))) {
        assertThatExceptionOfType(MissingCapabilityException.class)
            .isThrownBy(call)
            .withMessageContaining("add(CAN_SIGNAL_THREAD)")
            .satisfies(
                e -> {
                  assertThat(e.capability()).isEqualTo(Capability.CAN_SIGNAL_THREAD);
                  assertThat(e.reason()).isEqualTo(Reason.NOT_REQUESTED);
                });
      }
    }
    assertThat(Thread.interrupted()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, -1, 0, Long.MIN_VALUE, Long.MAX_VALUE})
  void storageKeepsANumberForEachThread(long value) {
    try (Parked worker = Parked.inPark();
        Parked other = Parked.inPark();
        Jvmti jvmti = Jvmti.open()) {
      for (Thread thread : List.of(worker.thread(), Thread.currentThread())) {
        assertThat(jvmti.threads().localStorage(thread)).isZero();
        jvmti.threads().setLocalStorage(thread, value);
        assertThat(jvmti.threads().localStorage(thread)).isEqualTo(value);
      }
      assertThat(jvmti.threads().localStorage(other.thread())).isZero();
      jvmti.threads().setLocalStorage(worker.thread(), 5);
      assertThat(jvmti.threads().localStorage(Thread.currentThread())).isEqualTo(value);
    }
  }

  @Test
  void storageIsTheSameFromInsideAndOutside() throws Exception {
    Thread main = Thread.currentThread();
    JvmTools.setThreadLocalStorage(main, 77);
    try (Jvmti jvmti = Jvmti.open()) {
      AtOnce.run(1, number -> assertThat(JvmTools.getThreadLocalStorage(main)).isEqualTo(77));
      assertThat(jvmti.threads().localStorage(main)).isZero();
    } finally {
      JvmTools.setThreadLocalStorage(main, 0);
    }
    assertThat(JvmTools.getThreadLocalStorage(main)).isZero();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void storageIsKeptForVirtualThreads() {
    try (Parked worker = Parked.virtual()) {
      assertThat(JvmTools.getThreadLocalStorage(worker.thread())).isZero();
      JvmTools.setThreadLocalStorage(worker.thread(), 78);
      assertThat(JvmTools.getThreadLocalStorage(worker.thread())).isEqualTo(78);
    }
  }

  @Test
  void deadAndNewThreadsTakeNoSignalAndNoNumber() {
    for (Thread thread : List.of(Parked.ended(), Parked.unstarted())) {
      assertNotAlive("InterruptThread", () -> JvmTools.interruptThread(thread));
      assertNotAlive("StopThread", () -> JvmTools.stopThread(thread, new IOException()));
      assertNotAlive("GetThreadLocalStorage", () -> JvmTools.getThreadLocalStorage(thread));
      assertNotAlive("SetThreadLocalStorage", () -> JvmTools.setThreadLocalStorage(thread, 1));
    }
  }

  private static void assertNotAlive(String function, ThrowingCallable call) {
    assertThatExceptionOfType(ThreadNotAliveException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.function()).isEqualTo(function));
  }

  private static void stopCaller(Jvmti jvmti, Throwable exception) {
    jvmti.threads().stop(Thread.currentThread(), exception);
    while (true) {
      Thread.onSpinWait();
    }
  }

  private static ThreadInfo infoWith(ClassLoader loader) {
    Thread thread = new Thread(() -> {}, "short-lived");
    thread.setContextClassLoader(loader);
    return JvmTools.getThreadInfo(thread);
  }

  private static void assertInfo(Thread thread) {
    try (Jvmti jvmti = Jvmti.open()) {
      for (ThreadInfo info :
          List.of(JvmTools.getThreadInfo(thread), jvmti.threads().info(thread))) {
        assertThat(info.name()).isEqualTo(thread.getName());
        assertThat(info.priority()).isEqualTo(thread.getPriority());
        assertThat(info.isDaemon()).isEqualTo(thread.isDaemon());
        assertThat(info.group()).isEqualTo(Optional.ofNullable(thread.getThreadGroup()));
        assertThat(info.contextClassLoader())
            .isEqualTo(Optional.ofNullable(thread.getContextClassLoader()));
      }
    }
  }
}
