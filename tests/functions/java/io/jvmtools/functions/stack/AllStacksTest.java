package io.jvmtools.functions.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.functions.Deep;
import io.jvmtools.functions.Traces;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.stack.ThreadStack;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Parked;
import io.jvmtools.thread.ThreadState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllStacksTest {

  /** Around the number of frames that the first look is limited to, and beyond. */
  private static final int[] DEPTHS = {0, 1, 7, 50, 508, 509, 510, 511, 512, 513, 600, 3_000};

  private final Jvmti jvmti = Jvmti.open();
  private final List<Deep> pool = new ArrayList<>();

  @BeforeEach
  void start() {
    for (int depth : DEPTHS) {
      pool.add(Deep.platform(depth));
    }
  }

  @AfterEach
  void close() {
    pool.forEach(Deep::close);
    jvmti.close();
  }

  @Test
  void allTracesAreThoseThatJavaShows() {
    Map<Thread, StackTraceElement[]> before = Thread.getAllStackTraces();
    Map<Thread, StackTrace> door = JvmTools.getAllStackTraces();
    List<ThreadStack> facet = jvmti.frames().allStackTraces();
    Map<Thread, StackTraceElement[]> after = Thread.getAllStackTraces();

    // The JDK may start or end a thread of its own meanwhile.
    Set<Thread> throughout = new HashSet<>(before.keySet());
    throughout.retainAll(after.keySet());
    Set<Thread> ever = new HashSet<>(before.keySet());
    ever.addAll(after.keySet());
    assertThat(door.keySet()).containsAll(throughout);
    assertThat(ever).containsAll(door.keySet());
    assertThat(facet).extracting(ThreadStack::thread).doesNotHaveDuplicates();
    assertThat(facet).extracting(ThreadStack::thread).containsAll(throughout);
    for (Deep worker : pool) {
      StackTrace trace = door.get(worker.thread());
      Traces.assertSame(trace, before.get(worker.thread()));
      assertThat(trace).isEqualTo(JvmTools.getStackTrace(worker.thread()));
      assertThat(Traces.of(worker.thread(), facet)).isEqualTo(trace);
    }
  }

  @Test
  void listKeepsItsOrderAndItsDuplicates() {
    List<Thread> asked = new ArrayList<>(threads());
    Collections.reverse(asked);
    asked.add(asked.get(0));
    for (List<ThreadStack> stacks :
        List.of(JvmTools.getThreadListStackTraces(asked), jvmti.frames().stackTraces(asked))) {
      assertThat(stacks).extracting(ThreadStack::thread).isEqualTo(asked);
      for (ThreadStack stack : stacks) {
        assertThat(stack.trace()).isEqualTo(JvmTools.getStackTrace(stack.thread()));
        assertThat(stack.state()).isEqualTo(ThreadState.of(0x291));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 507, 508, 509, 511, 512, 513, 8_192, Integer.MAX_VALUE})
  void limitCutsEveryTraceAtItsInnerEnd(int most) {
    List<ThreadStack> all = jvmti.frames().allStackTraces(most);
    assertThat(JvmTools.getAllStackTraces(most))
        .filteredOn(stack -> stack.thread() == pool.get(0).thread())
        .isEqualTo(all.stream().filter(one -> one.thread() == pool.get(0).thread()).toList());
    List<ThreadStack> listed = JvmTools.getThreadListStackTraces(threads(), most);
    for (Thread thread : threads()) {
      StackTrace whole = JvmTools.getStackTrace(thread);
      List<?> expected = whole.subList(0, Math.min(most, whole.size()));
      assertThat(Traces.of(thread, all)).isEqualTo(expected);
      assertThat(Traces.of(thread, listed)).isEqualTo(expected);
    }
    assertThat(jvmti.frames().stackTraces(threads(), most)).isEqualTo(listed);
  }

  @Test
  void threadsThatAreNotAliveHaveAStateAndNoFrames() {
    Thread ended = Parked.ended();
    Thread unstarted = Parked.unstarted();
    List<Thread> asked = List.of(ended, pool.get(3).thread(), unstarted);
    List<ThreadStack> stacks = JvmTools.getThreadListStackTraces(asked);
    assertThat(stacks.get(0)).isEqualTo(new ThreadStack(ended, ThreadState.of(2), empty()));
    assertThat(stacks.get(1).trace()).isNotEmpty();
    assertThat(stacks.get(2)).isEqualTo(new ThreadStack(unstarted, ThreadState.of(0), empty()));
    assertThat(jvmti.frames().stackTraces(asked)).isEqualTo(stacks);
  }

  @Test
  void noThreadsHaveNoStacks() {
    assertThat(JvmTools.getThreadListStackTraces(List.of())).isEmpty();
    assertThat(JvmTools.getThreadListStackTraces(List.of(), 5)).isEmpty();
    assertThat(jvmti.frames().stackTraces(List.of())).isEmpty();
  }

  @Test
  void aNullThreadInAListIsRefused() {
    List<Thread> asked = Arrays.asList(Thread.currentThread(), null);
    assertThatNullPointerException()
        .isThrownBy(() -> JvmTools.getThreadListStackTraces(asked))
        .withMessage("threads[1]");
    assertThatNullPointerException()
        .isThrownBy(() -> jvmti.frames().stackTraces(asked, 5))
        .withMessage("threads[1]");
  }

  @Test
  void resultsCannotBeChanged() {
    Map<Thread, StackTrace> all = JvmTools.getAllStackTraces();
    List<ThreadStack> listed = JvmTools.getThreadListStackTraces(threads());
    assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(all::clear);
    assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(listed::clear);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(jvmti.frames().allStackTraces()::clear);
  }

  @Test
  void currentThreadIsCutToItsOwnFrames() {
    Thread me = Thread.currentThread();
    int count = JvmTools.getFrameCount(me);
    assertThat(JvmTools.getAllStackTraces().get(me)).hasSize(count);
    assertThat(jvmti.frames().stackTraces(List.of(me)).get(0).trace()).hasSize(count);
    assertThat(jvmti.frames().stackTraces(List.of(me), 3).get(0).trace()).hasSize(3);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void virtualThreadsAreReadFromAListAndAreNotAmongAll() {
    try (Deep shallow = Deep.virtual(2);
        Deep deep = Deep.virtual(700)) {
      Thread unstarted = VirtualThreads.unstarted("new");
      List<Thread> asked =
          List.of(shallow.thread(), pool.get(1).thread(), unstarted, deep.thread());
      List<ThreadStack> stacks = JvmTools.getThreadListStackTraces(asked);
      assertThat(stacks).extracting(ThreadStack::thread).isEqualTo(asked);
      for (Deep worker : List.of(shallow, deep)) {
        StackTrace trace = Traces.of(worker.thread(), stacks);
        assertThat(trace).isEqualTo(JvmTools.getStackTrace(worker.thread()));
        Traces.assertShownBy(worker.thread(), trace);
      }
      assertThat(stacks.get(0).state()).isEqualTo(ThreadState.of(0x291));
      assertThat(stacks.get(2)).isEqualTo(new ThreadStack(unstarted, ThreadState.of(0), empty()));
      assertThat(JvmTools.getAllStackTraces()).doesNotContainKeys(shallow.thread(), deep.thread());
    }
  }

  @Test
  void stackPrintsAsAReport() {
    ThreadStack stack = JvmTools.getThreadListStackTraces(List.of(pool.get(1).thread())).get(0);
    List<String> lines = Traces.lines(stack);
    assertThat(lines.get(0)).isEqualTo("\"deep 1\" alive, waiting, indefinitely, parked");
    assertThat(lines.get(1))
        .isEqualTo("    at java.base/jdk.internal.misc.Unsafe.park(Native Method)");
    assertThat(lines).hasSize(1 + stack.trace().size()).allMatch(line -> line.length() <= 100);
    assertThat(lines.subList(1, lines.size())).allMatch(line -> line.startsWith("    at "));
    assertThat(Traces.lines(stack.trace())).isEqualTo(lines.subList(1, lines.size()));
    assertThat(new ThreadStack(pool.get(0).thread(), ThreadState.of(0), empty()))
        .hasToString("\"deep 0\" new");
  }

  @Test
  void aHugeLimitAndManyThreadsNeedLittleMemory() {
    ChildJvm.of(HugeLimit.class).jvmArgs("-Xmx256m").run().succeeds().out().contains("all read");
  }

  /** The JVM reserves the memory for as many frames as are asked for, and dies without it. */
  static final class HugeLimit {
    public static void main(String[] args) {
      List<Parked> parked = new ArrayList<>();
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        parked.add(Parked.inPark());
        threads.add(parked.get(i).thread());
      }
      try (Jvmti jvmti = Jvmti.open();
          Deep deep = Deep.platform(40_000)) {
        threads.add(deep.thread());
        List<Thread> many = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
          many.addAll(threads.subList(0, 200));
        }
        assertThat(jvmti.frames().allStackTraces(Integer.MAX_VALUE)).hasSizeGreaterThan(200);
        assertThat(jvmti.frames().stackTraces(threads, Integer.MAX_VALUE)).hasSize(201);
        assertThat(jvmti.frames().stackTraces(many, Integer.MAX_VALUE)).hasSize(20_000);
        assertThat(jvmti.frames().stackTrace(deep.thread(), 0, Integer.MAX_VALUE))
            .hasSizeGreaterThan(40_000);
        assertThat(JvmTools.getAllStackTraces().get(deep.thread())).hasSizeGreaterThan(40_000);
      }
      parked.forEach(Parked::close);
      System.out.println("all read");
    }
  }

  private List<Thread> threads() {
    return pool.stream().map(Deep::thread).toList();
  }

  /** The trace of a thread that runs no Java. */
  private static StackTrace empty() {
    return JvmTools.getThreadListStackTraces(List.of(Parked.unstarted())).get(0).trace();
  }
}
