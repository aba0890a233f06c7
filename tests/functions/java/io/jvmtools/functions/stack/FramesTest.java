package io.jvmtools.functions.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.jvmtools.FrameUnavailableException;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.functions.Deep;
import io.jvmtools.functions.Traces;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import java.lang.StackWalker.Option;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramesTest {

  private final Jvmti jvmti = Jvmti.open();

  @AfterEach
  void close() {
    jvmti.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 50, 500, 509, 510, 511, 512, 513, 2_000, 9_000})
  void traceOfAParkedThreadIsTheOneJavaShows(int calls) {
    try (Deep worker = Deep.platform(calls)) {
      StackTrace trace = JvmTools.getStackTrace(worker.thread());
      Traces.assertShownBy(worker.thread(), trace);
      assertThat(Traces.frames(trace, "descend")).hasSize(calls + 1);
      assertThat(jvmti.frames().stackTrace(worker.thread())).isEqualTo(trace);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void traceOfAParkedVirtualThreadIsTheOneJavaShows() {
    for (int calls : new int[] {0, 50, 600}) {
      try (Deep worker = Deep.virtual(calls)) {
        StackTrace trace = JvmTools.getStackTrace(worker.thread());
        Traces.assertShownBy(worker.thread(), trace);
        assertThat(Traces.frames(trace, "descend")).hasSize(calls + 1);
        assertThat(JvmTools.getFrameCount(worker.thread())).isEqualTo(trace.size());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 50, 2_000})
  void countAndEachFrameAgreeWithTheTrace(int calls) {
    try (Deep worker = Deep.platform(calls)) {
      StackTrace trace = JvmTools.getStackTrace(worker.thread());
      assertThat(JvmTools.getFrameCount(worker.thread())).isEqualTo(trace.size());
      assertThat(jvmti.frames().count(worker.thread())).isEqualTo(trace.size());
      for (int depth = 0; depth < trace.size(); depth += 1 + depth / 50) {
        assertThat(JvmTools.getFrameLocation(worker.thread(), depth)).isEqualTo(trace.get(depth));
        assertThat(jvmti.frames().at(worker.thread(), depth)).isEqualTo(trace.get(depth));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 700})
  void partOfATraceIsASubListOfIt(int calls) {
    try (Deep worker = Deep.platform(calls)) {
      StackTrace whole = JvmTools.getStackTrace(worker.thread());
      int size = whole.size();
      for (int start : new int[] {0, 1, 5, size / 2, size - 1}) {
        for (int most : new int[] {1, 2, size / 2, size, size + 1, 512, Integer.MAX_VALUE}) {
          int end = (int) Math.min(size, (long) start + most);
          assertThat(JvmTools.getStackTrace(worker.thread(), start, most))
              .isEqualTo(whole.subList(start, end))
              .isEqualTo(jvmti.frames().stackTrace(worker.thread(), start, most));
        }
      }
    }
  }

  @Test
  void nativeFrameHasNeitherLocationNorLine() {
    try (Parked worker = Parked.inPark()) {
      StackFrame top = JvmTools.getStackTrace(worker.thread()).top().orElseThrow();
      assertThat(top.isNative()).isTrue();
      assertThat(top.location()).isEqualTo(-1);
      assertThat(top.line()).isEmpty();
      assertThat(top.className()).isEqualTo("jdk.internal.misc.Unsafe");
      assertThat(top.methodName()).isEqualTo("park");
      assertThat(top.method().signature()).isEqualTo("(ZJ)V");
      assertThat(top.module()).contains("java.base");
      assertThat(top).hasToString("java.base/jdk.internal.misc.Unsafe.park(Native Method)");
    }
  }

  @Test
  void traceOfTheCurrentThreadIsTheOneThatStackWalkerSees() {
    StackTrace trace = JvmTools.getStackTrace(Thread.currentThread());
    List<StackWalker.StackFrame> walked = walk();
    List<StackWalker.StackFrame> here = walked.subList(1, walked.size());
    assertThat(trace).hasSameSizeAs(here);
    for (int depth = 0; depth < here.size(); depth++) {
      assertSame(trace.get(depth), here.get(depth), depth > 0);
    }
  }

  @Test
  void depthZeroOfTheCurrentThreadIsTheCaller() throws Exception {
    Thread me = Thread.currentThread();
    List<Callable<StackFrame>> calls =
        List.of(
            () -> JvmTools.getStackTrace(me).get(0),
            () -> JvmTools.getStackTrace(me, 0, 1).get(0),
            () -> JvmTools.getFrameLocation(me, 0),
            () -> JvmTools.getAllStackTraces().get(me).get(0),
            () -> JvmTools.getThreadListStackTraces(List.of(me)).get(0).trace().get(0),
            () -> JvmTools.getThreadListStackTraces(List.of(me), 1).get(0).trace().get(0),
            () -> jvmti.frames().stackTrace(me).get(0),
            () -> jvmti.frames().stackTrace(me, 0, 1).get(0),
            () -> jvmti.frames().at(me, 0),
            () -> Traces.of(me, jvmti.frames().allStackTraces()).get(0),
            () -> Traces.of(me, jvmti.frames().allStackTraces(1)).get(0),
            () -> jvmti.frames().stackTraces(List.of(me)).get(0).trace().get(0),
            () -> jvmti.frames().stackTraces(List.of(me), 1).get(0).trace().get(0));
    for (Callable<StackFrame> call : calls) {
      StackFrame frame = call.call();
      assertThat(frame.className()).isEqualTo(FramesTest.class.getName());
      assertThat(frame.methodName()).startsWith("lambda$depthZeroOfTheCurrentThreadIsTheCaller$");
    }
  }

  @Test
  void partsOfTheCurrentStackCountFromTheCaller() {
    Thread me = Thread.currentThread();
    int count = JvmTools.getFrameCount(me);
    assertThat(count).isEqualTo(walk().size() - 1);
    assertThat(jvmti.frames().count(me)).isEqualTo(count);
    StackTrace whole = JvmTools.getStackTrace(me);
    assertThat(whole).hasSize(count);
    assertThat(JvmTools.getStackTrace(me, 1, 3)).isEqualTo(whole.subList(1, 4));
    assertThat(JvmTools.getFrameLocation(me, count - 1)).isEqualTo(whole.get(count - 1));
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void currentVirtualThreadSeesItself() {
    CompletableFuture<StackTrace> trace = new CompletableFuture<>();
    CompletableFuture<Integer> count = new CompletableFuture<>();
    VirtualThreads.start(
        "looks at itself",
        () -> {
          trace.complete(JvmTools.getStackTrace(Thread.currentThread()));
          count.complete(JvmTools.getFrameCount(Thread.currentThread()));
        });
    assertThat(trace.join().get(0).className()).isEqualTo(FramesTest.class.getName());
    assertThat(trace.join()).hasSize(count.join());
  }

  @Test
  void tracesOfARunningThreadAreTaken() {
    try (Parked worker = Parked.inLoop()) {
      for (int i = 0; i < 1_000; i++) {
        StackTrace trace = JvmTools.getStackTrace(worker.thread());
        StackFrame start = trace.get(trace.size() - 1);
        assertThat(start.className()).isEqualTo("java.lang.Thread");
        assertThat(start.methodName()).isEqualTo("run");
      }
      Eventually.isTrue(
          "the loop is on the stack",
          () -> !Traces.frames(JvmTools.getStackTrace(worker.thread()), "spin").isEmpty());
    }
  }

  @Test
  void deadAndNewThreadsHaveNoFrames() {
    for (Thread thread : new Thread[] {Parked.ended(), Parked.unstarted()}) {
      assertNotAlive(thread, "GetStackTrace", () -> JvmTools.getStackTrace(thread));
      assertNotAlive(thread, "GetStackTrace", () -> JvmTools.getStackTrace(thread, 0, 1));
      assertNotAlive(thread, "GetStackTrace", () -> jvmti.frames().stackTrace(thread));
      assertNotAlive(thread, "GetStackTrace", () -> jvmti.frames().stackTrace(thread, 0, 1));
      assertNotAlive(thread, "GetFrameCount", () -> JvmTools.getFrameCount(thread));
      assertNotAlive(thread, "GetFrameCount", () -> jvmti.frames().count(thread));
      assertNotAlive(thread, "GetFrameLocation", () -> JvmTools.getFrameLocation(thread, 0));
      assertNotAlive(thread, "GetFrameLocation", () -> jvmti.frames().at(thread, 0));
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void deadAndNewVirtualThreadsHaveNoFrames() {
    Thread ended;
    try (Parked worker = Parked.virtual()) {
      ended = worker.thread();
    }
    for (Thread thread : new Thread[] {ended, VirtualThreads.unstarted("new")}) {
      assertNotAlive(thread, "GetStackTrace", () -> JvmTools.getStackTrace(thread));
      assertNotAlive(thread, "GetFrameCount", () -> JvmTools.getFrameCount(thread));
      assertNotAlive(thread, "GetFrameLocation", () -> JvmTools.getFrameLocation(thread, 0));
    }
  }

  @Test
  void tooDeepIsAnUnavailableFrame() {
    try (Deep worker = Deep.platform(10)) {
      Thread thread = worker.thread();
      int count = JvmTools.getFrameCount(thread);
      for (int depth : new int[] {count, count + 1, 1_000_000, Integer.MAX_VALUE}) {
        assertUnavailable("GetFrameLocation", 31, () -> JvmTools.getFrameLocation(thread, depth));
        assertUnavailable("GetFrameLocation", 31, () -> jvmti.frames().at(thread, depth));
      }
      for (int start : new int[] {count, count + 1, 1_000_000, Integer.MAX_VALUE}) {
        assertUnavailable("GetStackTrace", 103, () -> JvmTools.getStackTrace(thread, start, 1));
        assertUnavailable("GetStackTrace", 103, () -> jvmti.frames().stackTrace(thread, start, 1));
      }
    }
    for (int depth : new int[] {100_000, Integer.MAX_VALUE}) {
      Thread me = Thread.currentThread();
      assertUnavailable("GetFrameLocation", 31, () -> JvmTools.getFrameLocation(me, depth));
      assertUnavailable("GetStackTrace", 103, () -> JvmTools.getStackTrace(me, depth, 1));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, -2, Integer.MIN_VALUE})
  void negativeDepthsAreIllegal(int depth) {
    for (Thread thread : new Thread[] {Thread.currentThread(), Parked.ended()}) {
      assertIllegal(
          "start must not be negative: " + depth, () -> JvmTools.getStackTrace(thread, depth, 1));
      assertIllegal(
          "start must not be negative: " + depth,
          () -> jvmti.frames().stackTrace(thread, depth, 1));
      assertIllegal(
          "depth must not be negative: " + depth, () -> JvmTools.getFrameLocation(thread, depth));
      assertIllegal("depth must not be negative: " + depth, () -> jvmti.frames().at(thread, depth));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void fewerThanOneFrameIsIllegal(int most) {
    String message = "maxFrames must be positive: " + most;
    Thread me = Thread.currentThread();
    assertIllegal(message, () -> JvmTools.getStackTrace(me, 0, most));
    assertIllegal(message, () -> jvmti.frames().stackTrace(me, 0, most));
    assertIllegal(message, () -> JvmTools.getThreadListStackTraces(List.of(me), most));
    assertIllegal(message, () -> jvmti.frames().stackTraces(List.of(me), most));
    assertIllegal(message, () -> jvmti.frames().allStackTraces(most));
  }

  @Test
  void traceCannotBeChangedAndHasBounds() {
    StackTrace trace = JvmTools.getStackTrace(Thread.currentThread());
    assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(trace::clear);
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> trace.get(trace.size()));
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> trace.get(-1));
  }

  @Test
  void traceOfAJavaFreeThreadIsEmpty() {
    Thread signals =
        JvmTools.getAllThreads().stream()
            .filter(thread -> thread.getName().equals("Signal Dispatcher"))
            .findFirst()
            .orElseThrow();
    assertThat(JvmTools.getFrameCount(signals)).isZero();
    assertThat(JvmTools.getStackTrace(signals)).isEmpty();
    assertThat(JvmTools.getStackTrace(signals).top()).isEmpty();
    assertThat(JvmTools.getStackTrace(signals)).hasToString("");
    assertUnavailable("GetFrameLocation", 31, () -> JvmTools.getFrameLocation(signals, 0));
  }

  private static List<StackWalker.StackFrame> walk() {
    return StackWalker.getInstance(Set.of(Option.SHOW_HIDDEN_FRAMES, Option.RETAIN_CLASS_REFERENCE))
        .walk(frames -> frames.collect(Collectors.toList()));
  }

  private static void assertSame(
      StackFrame frame, StackWalker.StackFrame expected, boolean atTheSameCall) {
    assertThat(frame.className()).isEqualTo(expected.getClassName());
    assertThat(frame.method().declaringClass()).contains(expected.getDeclaringClass());
    assertThat(frame.methodName()).isEqualTo(expected.getMethodName());
    assertThat(frame.method().signature()).isEqualTo(expected.getDescriptor());
    assertThat(frame.isNative()).isEqualTo(expected.isNativeMethod());
    assertThat(frame.sourceFile().orElse(null)).isEqualTo(expected.getFileName());
    if (atTheSameCall) {
      assertThat(frame).hasToString(expected.toStackTraceElement().toString());
      if (!frame.isNative()) {
        assertThat(frame.location()).isEqualTo(expected.getByteCodeIndex());
      }
    }
  }

  private static void assertNotAlive(Thread thread, String function, ThrowingCallable call) {
    String name = thread.getName();
    assertThatExceptionOfType(ThreadNotAliveException.class)
        .isThrownBy(call)
        .withMessage(
            function
                + ": JVMTI_ERROR_THREAD_NOT_ALIVE (15): the thread"
                + (name.isEmpty() ? "" : " \"" + name + '"')
                + " has not started yet, or has ended")
        .satisfies(e -> assertThat(e.function()).isEqualTo(function));
  }

  private static void assertUnavailable(String function, int code, ThrowingCallable call) {
    assertThatExceptionOfType(FrameUnavailableException.class)
        .isThrownBy(call)
        .satisfies(
            e -> {
              assertThat(e.function()).isEqualTo(function);
              assertThat(e.code()).isEqualTo(code);
            });
  }

  private static void assertIllegal(String message, ThrowingCallable call) {
    assertThatIllegalArgumentException().isThrownBy(call).withMessage(message);
  }
}
