package io.jvmtools.functions.dump;

import static io.jvmtools.Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpConsistency;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.DumpPart;
import io.jvmtools.dump.DumpedThread;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.Nested;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** What a dump leaves out because it was not asked for. */
class DumpOptionsTest {

  private static final DumpOptions DEFAULTS = DumpOptions.defaults();

  @Test
  void onlyTheChosenThreadsAreThere() {
    try (Parked one = Parked.inPark();
        Parked other = Parked.inWait()) {
      List<Thread> chosen = List.of(other.thread(), one.thread(), one.thread(), Parked.ended());
      for (ThreadDump dump : both(DEFAULTS.threads(chosen))) {
        assertThat(dump.threads())
            .extracting(DumpedThread::id)
            .containsExactly(other.thread().getId(), one.thread().getId());
        assertThat(dump.unknown())
            .contains("other threads, and deadlocks with them: not asked for");
        assertThat(dump.thread(one.thread()).orElseThrow().stack())
            .extracting(Object::toString)
            .isEqualTo(linesOf(one.thread()));
      }
    }
  }

  @Test
  void noneCanBeChosen() {
    for (ThreadDump dump : both(DEFAULTS.threads(List.of()))) {
      assertThat(dump.threads()).isEmpty();
      assertThat(dump.unknown()).noneMatch(line -> line.startsWith("elapsed times"));
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void virtualOnesAndTheCallingOneCanBeChosen() {
    try (Parked virtual = Parked.virtual()) {
      List<Thread> chosen = List.of(virtual.thread(), Thread.currentThread());
      for (ThreadDump dump : both(DEFAULTS.threads(chosen))) {
        assertThat(dump.threads()).hasSize(2);
        assertThat(dump.thread(virtual.thread()).orElseThrow().stack()).isNotEmpty();
      }
    }
  }

  @Test
  void whatThreadsSayOfThemselvesIsNotAsked() throws InterruptedException {
    List<Thread> alike = List.of(new Alike(), new Alike());
    alike.forEach(Thread::start);
    ThreadDump dump = JvmTools.threadDump(DEFAULTS.threads(alike));
    assertThat(dump.threads()).hasSize(2);
    for (Thread one : alike) {
      one.interrupt();
      one.join();
    }
  }

  /** All of which are equal, if one could tell. */
  private static final class Alike extends Thread {

    @Override
    public void run() {
      while (!isInterrupted()) {
        Thread.onSpinWait();
      }
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Alike;
    }

    @Override
    public int hashCode() {
      throw new IllegalStateException("nobody asks");
    }
  }

  @Test
  void theOthersAreNotSuspended() {
    try (Counting chosen = Counting.platform();
        Counting other = Counting.platform();
        Jvmti holder = Jvmti.open(CAN_SUSPEND)) {
      // Two standstills cannot be at once; this one is none.
      ThreadDump dump =
          holder
              .threads()
              .withSuspended(
                  other.thread(),
                  Duration.ofMinutes(1),
                  () -> holder.dumps().take(DEFAULTS.threads(List.of(chosen.thread()))));
      assertThat(dump.consistency()).isEqualTo(DumpConsistency.SUSPENDED);
      assertThat(dump.threads()).hasSize(1);
      assertThat(dump.threads().get(0).state().isSuspended()).isFalse();
      chosen.runs();
      other.runs();
    }
  }

  @Test
  void withoutSuspensionTheThreadsGoOn() {
    for (ThreadDump dump : both(DEFAULTS.withoutSuspension())) {
      assertThat(dump.consistency()).isEqualTo(DumpConsistency.SAFEPOINT);
      assertThat(dump.unknown())
          .contains("locks and times at the moment of the stacks: not asked for");
    }
  }

  @Test
  void stacksAreNoDeeperThanWanted() {
    try (Parked parked = Parked.inPark()) {
      List<String> whole = linesOf(parked.thread());
      int all = whole.size();
      for (int depth : new int[] {1, 2, all - 1, all, all + 1}) {
        DumpOptions options = DEFAULTS.depth(depth);
        for (ThreadDump dump : both(options)) {
          DumpedThread thread = dump.thread(parked.thread()).orElseThrow();
          assertThat(thread.stack())
              .extracting(Object::toString)
              .isEqualTo(whole.subList(0, Math.min(depth, all)));
          assertThat(thread.hasMoreFrames()).as(depth + " of them").isEqualTo(depth < all);
          assertThat(thread.toString().contains("deeper frames")).isEqualTo(depth < all);
          DumpedThread own = dump.thread(Thread.currentThread()).orElseThrow();
          assertThat(own.stack()).hasSize(depth);
          assertThat(own.stack().get(0).className()).isEqualTo(getClass().getName());
        }
      }
    }
  }

  @Test
  void aDeepStackIsCutBelowTheUsualDepth() {
    try (Parked deep = deep(2_000)) {
      int whole = JvmTools.getFrameCount(deep.thread());
      for (int depth : new int[] {511, 512, 513, 1_500, whole, Integer.MAX_VALUE}) {
        for (ThreadDump dump : both(DEFAULTS.depth(depth).threads(Set.of(deep.thread())))) {
          DumpedThread thread = dump.threads().get(0);
          assertThat(thread.stack()).hasSize(Math.min(depth, whole));
          assertThat(thread.hasMoreFrames()).isEqualTo(depth < whole);
        }
      }
    }
  }

  private static Parked deep(int frames) {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Parked deep = Parked.in(() -> descend(frames, inside, over), inside, over::countDown);
    Eventually.isTrue("it waits", () -> deep.thread().getState() == Thread.State.WAITING);
    return deep;
  }

  private static void descend(int frames, CountDownLatch inside, CountDownLatch over) {
    if (frames > 0) {
      descend(frames - 1, inside, over);
      return;
    }
    inside.countDown();
    try {
      over.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void monitorsOfDeeperFramesAreNotLost() {
    ChildJvm.of(Deeper.class).agent("").run().succeeds();
  }

  static final class Deeper {
    public static void main(String[] args) {
      try (Nested worker = Nested.platform();
          Jvmti jvmti = Jvmti.open(CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO)) {
        DumpedThread whole = jvmti.dumps().take().thread(worker.thread()).orElseThrow();
        DumpedThread cut =
            jvmti.dumps().take(DEFAULTS.depth(1)).thread(worker.thread()).orElseThrow();
        assertThat(whole.monitorsOfNoFrame()).isEmpty();
        assertThat(cut.monitorsOfNoFrame()).hasSize(3);
        assertThat(cut.monitorsKnown()).isTrue();
      }
    }
  }

  @Test
  void onlyTheWantedPartsAreRead() {
    for (ThreadDump dump : both(DEFAULTS.parts())) {
      assertThat(dump.threads()).allMatch(thread -> thread.cpuTime().isEmpty());
      assertThat(dump.threads()).allMatch(thread -> thread.elapsedTime().isEmpty());
      assertThatIllegalStateException()
          .isThrownBy(dump::deadlocks)
          .withMessageStartingWith("there may be deadlocks that nobody has found: ");
      assertThat(dump.unknown())
          .contains(
              "processor times: not asked for",
              "elapsed times: not asked for",
              "owned monitors, and deadlocks over them: not asked for",
              "monitors that are waited for, and deadlocks over them: not asked for",
              "local variables: not asked for");
    }
    ThreadDump times = JvmTools.threadDump(DEFAULTS.parts(DumpPart.CPU_TIMES));
    assertThat(times.thread(Thread.currentThread()).orElseThrow().cpuTime()).isPresent();
  }

  @Test
  void nonsenseIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.depth(0))
        .withMessage("frames must be positive: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DEFAULTS.deadline(Duration.ZERO))
        .withMessage("deadline must be positive: PT0S");
    assertThatNullPointerException()
        .isThrownBy(() -> DEFAULTS.threads(Arrays.asList(Thread.currentThread(), null)))
        .withMessage("threads[1]");
    assertThatNullPointerException()
        .isThrownBy(() -> DEFAULTS.parts(DumpPart.CPU_TIMES, null))
        .withMessage("parts[1]");
    assertThatNullPointerException()
        .isThrownBy(() -> JvmTools.threadDump(null))
        .withMessage("options");
  }

  private static List<String> linesOf(Thread thread) {
    // The library's own: Java leaves out hidden frames.
    return JvmTools.getStackTrace(thread).stream().map(StackFrame::toString).toList();
  }

  /** By the static door, and by an environment. */
  private static List<ThreadDump> both(DumpOptions options) {
    ThreadDump first = JvmTools.threadDump(options);
    try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      return List.of(first, jvmti.dumps().take(options));
    }
  }
}
