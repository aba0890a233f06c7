package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Deep;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.Traces;
import io.jvmtools.internal.code.MethodNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.stack.FrameNatives;
import io.jvmtools.internal.stack.PackedFrames;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.stack.ThreadStack;
import io.jvmtools.support.GcUntil;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** What a value says of a class whose loader has been collected. */
class UnloadedClassTest {

  @Test
  void traceSurvivesTheClassesItNamesAndKeepsNoneAlive() {
    Taken taken = take(null);
    GcUntil.cleared(taken.loader);
    assertThat(taken.trace.toString()).isEqualTo(taken.printed);
    assertThat(taken.trace.toStackTraceElements()).isEqualTo(taken.elements);
    StackFrame frame = Traces.frames(taken.trace, "pass").get(0);
    JvmMethod method = frame.method();
    assertThat(method.declaringClass()).isEmpty();
    assertThat(method.toReflected()).isEmpty();
    assertThat(method.className()).isEqualTo(Relay.class.getName());
    assertThat(method.signature()).isEqualTo("(Ljava/lang/Runnable;)V");
    assertThat(method.isStatic()).isTrue();
    assertThat(method).hasToString("io.jvmtools.functions.Relay.pass(java.lang.Runnable)");
    assertThat(frame.line()).isPresent();
    assertThat(frame.sourceFile()).contains("Relay.java");
    assertThat(frame.location()).isPositive();
    assertThat(frame).isEqualTo(frame).hasSameHashCodeAs(frame);
  }

  @Test
  void traceSurvivesItsEnvironment() {
    StackTrace trace;
    ThreadStack stack;
    String printed;
    try (Jvmti jvmti = Jvmti.open();
        Deep worker = Deep.platform(5)) {
      trace = jvmti.frames().stackTrace(worker.thread());
      stack = jvmti.frames().stackTraces(List.of(worker.thread())).get(0);
      printed = trace.toString();
    }
    GcUntil.settled();
    assertThat(trace).hasToString(printed);
    assertThat(stack.toString()).endsWith(printed);
    assertThat(Traces.frames(trace, "descend"))
        .hasSize(6)
        .allMatch(frame -> frame.line().isPresent());
  }

  @Test
  void idOfAnUnloadedMethodResolvesToNothing() {
    long[] id = new long[1];
    Taken taken = take(id);
    assertThat(MethodNatives.resolve(GeneralNatives.metadata(), id[0])).isNotNull();
    GcUntil.cleared(taken.loader);
    assertThat(MethodNatives.resolve(GeneralNatives.metadata(), id[0])).isNull();
  }

  @Test
  void methodThatIsGoneBeforeItsNameIsReadPrintsAllTheSame() throws ReflectiveOperationException {
    var unloaded = JvmMethod.class.getDeclaredMethod("unloaded", long.class);
    unloaded.setAccessible(true);
    JvmMethod method = (JvmMethod) unloaded.invoke(null, 42L);
    assertThat(method.declaringClass()).isEmpty();
    assertThat(method.toReflected()).isEmpty();
    assertThat(method.className()).isEqualTo("<unloaded>");
    assertThat(method.name()).isEqualTo("<unknown>");
    assertThat(method.signature()).isEmpty();
    assertThat(method.modifiers()).isZero();
    assertThat(method.sourceFile()).isEmpty();
    assertThat(method.module()).isEmpty();
    assertThat(method.lineNumber(0)).isEmpty();
    assertThat(method.toString()).startsWith("<unloaded>.<unknown>");
    assertThat(method)
        .isEqualTo(unloaded.invoke(null, 42L))
        .isNotEqualTo(unloaded.invoke(null, 43L));
  }

  @Test
  void sameNameInAnotherLoaderIsAnotherMethod() {
    ClassFiles.Loader one = new ClassFiles.Loader("one");
    ClassFiles.Loader two = new ClassFiles.Loader("two");
    byte[] file = ClassFiles.of(Relay.class);
    try (Deep worker =
        Deep.platform(0, next -> one.relay(file, two.relay(file, new Relay(next))))) {
      List<StackFrame> frames = Traces.frames(JvmTools.getStackTrace(worker.thread()), "pass");
      assertThat(frames).hasSize(3).doesNotHaveDuplicates();
      assertThat(frames).extracting(StackFrame::className).containsOnly(Relay.class.getName());
      assertThat(frames.get(2).toString()).startsWith("one//");
      assertThat(frames.get(1).toString()).startsWith("two//");
      assertThat(frames.get(0).toString()).startsWith("io.jvmtools.functions.Relay.pass(");
    }
  }

  @Test
  void manyGenerationsOfAClassAreEachNamedRight() {
    for (int i = 0; i < 30; i++) {
      String name = "generation " + i;
      byte[] file = ClassFiles.renamed(ClassFiles.of(Relay.class), Map.of("Relay.java", name));
      StackTrace trace = onAnotherThread(() -> traceThrough(new ClassFiles.Loader(name), file));
      assertThat(Traces.frames(trace, "pass").get(0).sourceFile()).contains(name);
      if (i % 10 == 0) {
        System.gc();
      }
    }
  }

  /** On a thread of its own, so that no frame of this one keeps the loader. */
  private static Taken take(long[] id) {
    return onAnotherThread(
        () -> {
          ClassFiles.Loader loader = new ClassFiles.Loader("short-lived");
          byte[] file = ClassFiles.of(Relay.class);
          Taken[] taken = new Taken[1];
          loader
              .relay(
                  file,
                  () -> {
                    StackTrace trace = JvmTools.getStackTrace(Thread.currentThread());
                    if (id != null) {
                      id[0] = idOf(trace);
                    }
                    taken[0] =
                        new Taken(
                            new WeakReference<>(loader),
                            trace,
                            trace.toString(),
                            trace.toStackTraceElements());
                  })
              .run();
          return taken[0];
        });
  }

  /** The id of the frame of {@code Relay.pass}, which no public value shows. */
  private static long idOf(StackTrace trace) {
    int depth = trace.indexOf(Traces.frames(trace, "pass").get(0));
    Object owner = new Object();
    long env = GeneralNatives.open(owner);
    try {
      PackedFrames frames = PackedFrames.of(FrameNatives.getStackTrace(env, null, 0, 100));
      // The native, this method and the body it was called from take the place of that body.
      return frames.methodId(depth + 2);
    } finally {
      GeneralNatives.close(env);
      Reference.reachabilityFence(owner);
    }
  }

  private static StackTrace traceThrough(ClassFiles.Loader loader, byte[] file) {
    StackTrace[] trace = new StackTrace[1];
    loader.relay(file, () -> trace[0] = JvmTools.getStackTrace(Thread.currentThread())).run();
    return trace[0];
  }

  private static <T> T onAnotherThread(Callable<T> body) {
    FutureTask<T> task = new FutureTask<>(body);
    new Thread(task).start();
    try {
      return task.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  private record Taken(
      WeakReference<ClassLoader> loader,
      StackTrace trace,
      String printed,
      StackTraceElement[] elements) {}
}
