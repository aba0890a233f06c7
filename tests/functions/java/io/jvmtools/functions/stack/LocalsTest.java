package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.FrameUnavailableException;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.code.DeclaredVariable;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Deep;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.functions.Traces;
import io.jvmtools.stack.LocalVariable;
import io.jvmtools.stack.Locals;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.support.Parked;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** What frames hold, by name and by slot, and other values for them. */
@OnlyUnderTheAgent
class LocalsTest {

  private static final int TYPE_MISMATCH = 34;
  private static final int INVALID_SLOT = 35;

  /** Slots of {@link Keeper}'s method, in which two take two. */
  private static final int FLAG = 1;

  private static final int NUMBER = 5;
  private static final int WIDE = 6;
  private static final int HALF = 8;
  private static final int REAL = 9;
  private static final int TEXT = 11;
  private static final int ARRAY = 12;
  private static final int PEER = 13;

  private static final String UNTOUCHED = "[true, -1, c, -2, 3, 4, 5.5, 6.5, text, 1, false]";

  private static Jvmti open() {
    return Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES);
  }

  private static int depth(Jvmti jvmti, Kept kept) {
    return kept.frame(jvmti, "keep").depth();
  }

  @Test
  void eachKindIsReadByName() {
    try (Kept kept = Kept.platform();
        Jvmti jvmti = open()) {
      jvmti.threads().suspend(kept.thread());
      assertKept(jvmti, kept);
      jvmti.threads().resume(kept.thread());
      assertThat(kept.outcome()).isEqualTo(UNTOUCHED);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void virtualThreadsAreReadLikeOthers() {
    try (Kept kept = Kept.virtual();
        Jvmti jvmti = open()) {
      jvmti.threads().suspend(kept.thread());
      assertKept(jvmti, kept);
      int depth = depth(jvmti, kept);
      assertThat(jvmti.locals().instance(kept.thread(), depth)).contains(kept.keeper());
      assertThat(jvmti.locals().longAt(kept.thread(), depth, WIDE)).isEqualTo(4);
      jvmti.threads().resume(kept.thread());
    }
  }

  private static void assertKept(Jvmti jvmti, Kept kept) {
    StackFrame frame = kept.frame(jvmti, "keep");
    assertThat(frame.thread()).containsSame(kept.thread());
    List<LocalVariable> all = jvmti.locals().all(frame);
    assertThat(all).isEqualTo(jvmti.locals().all(kept.thread(), frame.depth()));
    assertThat(all)
        .allMatch(variable -> variable.unread().isEmpty())
        .extracting(LocalVariable::name, LocalVariable::signature, LocalVariable::slot)
        .containsExactlyInAnyOrder(
            of("this", "Lio/jvmtools/functions/stack/Keeper;", 0),
            of("flag", "Z", FLAG),
            of("small", "B", 2),
            of("letter", "C", 3),
            of("less", "S", 4),
            of("number", "I", NUMBER),
            of("wide", "J", WIDE),
            of("half", "F", HALF),
            of("real", "D", REAL),
            of("text", "Ljava/lang/String;", TEXT),
            of("array", "[I", ARRAY),
            of("peer", "Lio/jvmtools/functions/stack/Keeper;", PEER));
    assertThat(value(all, "this")).isSameAs(kept.keeper());
    assertThat(value(all, "array")).isEqualTo(new int[] {7});
    assertThat(all)
        .filteredOn(variable -> !List.of("this", "array").contains(variable.name()))
        .extracting(LocalVariable::value)
        .containsExactlyInAnyOrder(
            true, (byte) -1, 'c', (short) -2, 3, 4L, 5.5f, 6.5, "text", null);
    assertThat(all)
        .extracting(LocalVariable::toString)
        .contains("flag = true", "letter = 'c'", "wide = 4", "text = \"text\"", "peer = null");
  }

  private static Tuple of(String name, String signature, int slot) {
    return Tuple.tuple(name, signature, slot);
  }

  private static Object value(List<LocalVariable> all, String name) {
    return all.stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow().value();
  }

  @Test
  void aFrameOfThousandsIsFoundByItsDepth() {
    try (Deep deep = Deep.platform(2_000);
        Jvmti jvmti = open()) {
      jvmti.threads().suspend(deep.thread());
      List<StackFrame> frames = Traces.frames(jvmti.frames().stackTrace(deep.thread()), "descend");
      for (int calls : new int[] {0, 1_000, 2_000}) {
        assertThat(value(jvmti.locals().all(frames.get(calls)), "remaining")).isEqualTo(calls);
      }
      StackFrame part = jvmti.frames().stackTrace(deep.thread(), 1_003, 1).get(0);
      assertThat(part.depth()).isEqualTo(1_003);
      assertThat(jvmti.locals().all(part))
          .isEqualTo(jvmti.locals().all(jvmti.frames().at(deep.thread(), 1_003)));
      jvmti.threads().resume(deep.thread());
    }
  }

  @Test
  void eachKindIsWrittenByName() {
    try (Kept kept = Kept.platform();
        Jvmti jvmti = open()) {
      jvmti.threads().suspend(kept.thread());
      StackFrame frame = kept.frame(jvmti, "keep");
      Locals locals = jvmti.locals();
      locals.set(frame, "flag", false);
      locals.set(frame, "small", (byte) 1);
      locals.set(frame, "letter", 'd');
      locals.set(frame, "less", (byte) 2);
      locals.set(frame, "number", Integer.MIN_VALUE);
      locals.set(frame, "wide", 40);
      locals.set(frame, "half", 55L);
      locals.set(frame, "real", 0.25f);
      locals.setNull(frame, "text");
      locals.set(frame, "array", new int[5]);
      locals.set(frame, "peer", kept.keeper());
      assertThat(value(locals.all(frame), "wide")).isEqualTo(40L);
      jvmti.threads().resume(kept.thread());
      assertThat(kept.outcome())
          .isEqualTo("[false, 1, d, 2, -2147483648, 40, 55.0, 0.25, null, 5, true]");
    }
  }

  /**
   * GetLocalObject, GetLocalInt, GetLocalLong, GetLocalFloat, GetLocalDouble; SetLocalObject,
   * SetLocalInt, SetLocalLong, SetLocalFloat, SetLocalDouble.
   */
  @Test
  void eachKindIsReadAndWrittenBySlot() {
    try (Kept kept = Kept.platform();
        Jvmti jvmti = open()) {
      Thread thread = kept.thread();
      jvmti.threads().suspend(thread);
      int depth = depth(jvmti, kept);
      Locals locals = jvmti.locals();
      assertThat(locals.objectAt(thread, depth, 0)).containsSame(kept.keeper());
      assertThat(locals.objectAt(thread, depth, TEXT)).contains("text");
      assertThat(locals.objectAt(thread, depth, PEER)).isEmpty();
      assertThat(locals.intAt(thread, depth, NUMBER)).isEqualTo(3);
      assertThat(locals.longAt(thread, depth, WIDE)).isEqualTo(4);
      assertThat(locals.floatAt(thread, depth, HALF)).isEqualTo(5.5f);
      assertThat(locals.doubleAt(thread, depth, REAL)).isEqualTo(6.5);
      locals.setObjectAt(thread, depth, TEXT, "other");
      locals.setNullAt(thread, depth, ARRAY);
      assertThat(locals.objectAt(thread, depth, ARRAY)).isEmpty();
      locals.setObjectAt(thread, depth, ARRAY, new int[2]);
      locals.setIntAt(thread, depth, NUMBER, -3);
      locals.setLongAt(thread, depth, WIDE, Long.MIN_VALUE);
      locals.setFloatAt(thread, depth, HALF, -0.5f);
      locals.setDoubleAt(thread, depth, REAL, Double.MAX_VALUE);
      jvmti.threads().resume(thread);
      assertThat(kept.outcome())
          .isEqualTo(
              "[true, -1, c, -2, -3, %d, -0.5, %s, other, 2, false]"
                  .formatted(Long.MIN_VALUE, Double.MAX_VALUE));
    }
  }

  /** GetLocalInstance. */
  @Test
  void theReceiverIsThatOfTheFrame() {
    try (Kept kept = Kept.platform();
        Kept inStatic = Kept.platform(next -> () -> Keeper.keepForAWhile(next));
        Jvmti jvmti = open()) {
      jvmti.threads().suspend(kept.thread());
      jvmti.threads().suspend(inStatic.thread());
      assertThat(jvmti.locals().instance(kept.thread(), depth(jvmti, kept)))
          .containsSame(kept.keeper());
      int depth = inStatic.frame(jvmti, "keepForAWhile").depth();
      assertThat(jvmti.locals().instance(inStatic.thread(), depth)).isEmpty();
      jvmti.threads().resume(kept.thread());
      jvmti.threads().resume(inStatic.thread());
    }
  }

  @Test
  void whatTheCallingThreadHoldsIsThere() {
    try (Jvmti jvmti = open()) {
      Thread me = Thread.currentThread();
      int retries = 1;
      StackFrame here = jvmti.frames().stackTrace(me).get(0);
      assertThat(value(jvmti.locals().all(here), "retries")).isEqualTo(1);
      assertThat(value(jvmti.locals().all(me, 0), "retries")).isEqualTo(1);
      assertThat(jvmti.locals().instance(me, 0)).containsSame(this);
      jvmti.locals().set(here, "retries", 3);
      assertThat(retries).isEqualTo(3);
      StackFrame caller = called(jvmti);
      assertThatThrownBy(() -> jvmti.locals().all(caller))
          .isInstanceOf(FrameUnavailableException.class)
          .hasMessageContaining("the thread has gone on: at depth 0 it is at ");
    }
  }

  private static StackFrame called(Jvmti jvmti) {
    return jvmti.frames().at(Thread.currentThread(), 0);
  }

  /** Its code has been compiled by then, and takes the value for a constant. */
  @Test
  void aLoopEndsWhenItsConditionIsWritten() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    Thread thread = new Thread(() -> spin(inside), "spins");
    thread.setDaemon(true);
    thread.start();
    inside.await();
    try (Jvmti jvmti = open()) {
      jvmti.threads().suspend(thread);
      List<StackFrame> trace = jvmti.frames().stackTrace(thread);
      StackFrame frame = Traces.frames(trace, "spin").get(0);
      jvmti.locals().set(frame, "over", true);
      jvmti.threads().resume(thread);
      thread.join();
    }
  }

  private static long spin(CountDownLatch inside) {
    boolean over = false;
    long turns = 0;
    while (!over) {
      turns++;
      if (turns == 1_000_000) {
        inside.countDown();
      }
    }
    return turns;
  }

  @Test
  void aThreadThatRunsIsNotAsked() {
    try (Parked running = Parked.inLoop();
        Kept kept = Kept.platform();
        Jvmti jvmti = open()) {
      StackFrame frame = kept.frame(jvmti, "keep");
      for (Thread thread : List.of(running.thread(), kept.thread())) {
        assertNotSuspended(() -> jvmti.locals().all(thread, 0));
        assertNotSuspended(() -> jvmti.locals().instance(thread, 0));
        assertNotSuspended(() -> jvmti.locals().intAt(thread, 0, 0));
        assertNotSuspended(() -> jvmti.locals().setIntAt(thread, 0, 0, 1));
      }
      assertNotSuspended(() -> jvmti.locals().all(frame));
      assertNotSuspended(() -> jvmti.locals().set(frame, "number", 1));
      assertThat(kept.outcome()).isEqualTo(UNTOUCHED);
      assertThatThrownBy(() -> jvmti.locals().all(frame))
          .isInstanceOf(ThreadNotAliveException.class);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aVirtualThreadThatRunsIsNotAsked() {
    try (Parked parked = Parked.virtual();
        Jvmti jvmti = open()) {
      assertNotSuspended(() -> jvmti.locals().all(parked.thread(), 0));
      assertNotSuspended(() -> jvmti.locals().instance(parked.thread(), 0));
    }
  }

  private static void assertNotSuspended(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(ThreadNotSuspendedException.class);
  }

  @Test
  void aFrameThatIsNoMoreIsNotTakenForAnother() {
    CountDownLatch[] steps = {
      new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1)
    };
    Runnable twoPlaces =
        () -> {
          step(steps[0], steps[1]);
          step(steps[2], steps[3]);
        };
    try (Parked worker = Parked.in(twoPlaces, steps[0], steps[3]::countDown);
        Jvmti jvmti = open()) {
      List<StackFrame> trace = jvmti.frames().stackTrace(worker.thread());
      StackFrame first =
          trace.stream()
              .filter(frame -> frame.methodName().startsWith("lambda$aFrameThatIsNoMore"))
              .findFirst()
              .orElseThrow();
      steps[1].countDown();
      steps[2].await();
      jvmti.threads().suspend(worker.thread());
      assertThatThrownBy(() -> jvmti.locals().all(first))
          .isInstanceOf(FrameUnavailableException.class)
          .hasMessageContaining("the thread has gone on");
      assertThatThrownBy(() -> jvmti.locals().setNull(first, "steps"))
          .isInstanceOf(FrameUnavailableException.class);
      jvmti.threads().resume(worker.thread());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void step(CountDownLatch reached, CountDownLatch go) {
    reached.countDown();
    try {
      go.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFrameOfADumpIsThatOfNoThread() {
    try (Jvmti jvmti = open()) {
      StackFrame dumped =
          jvmti.dumps().take().threads().stream()
              .flatMap(thread -> thread.stack().stream())
              .findFirst()
              .orElseThrow();
      assertThat(dumped.thread()).isEmpty();
      assertThatThrownBy(() -> jvmti.locals().all(dumped))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("frame is that of a thread dump, and of no thread");
    }
  }

  @Test
  void withoutDebugInformationParametersAreThere() {
    byte[] file =
        ClassFiles.renamed(ClassFiles.of(Keeper.class), Map.of("LocalVariableTable", "Unknown"));
    ClassFiles.Loader loader = new ClassFiles.Loader("without variables");
    try (Kept kept = Kept.platform(next -> loader.relay(file, next));
        Jvmti jvmti = open()) {
      Thread thread = kept.thread();
      jvmti.threads().suspend(thread);
      StackFrame frame = kept.frame(jvmti, "keep");
      assertThat(jvmti.locals().table(frame.method())).isEmpty();
      List<LocalVariable> all = jvmti.locals().all(frame);
      assertThat(all)
          .extracting(LocalVariable::name)
          .startsWith("this", "arg0", "arg1")
          .endsWith("arg10");
      assertThat(value(all, "this")).isSameAs(kept.keeper());
      assertThat(value(all, "arg2")).isEqualTo('c');
      assertThat(value(all, "arg5")).isEqualTo(4L);
      assertThat(value(all, "arg8")).isEqualTo("text");
      assertThat(jvmti.locals().doubleAt(thread, frame.depth(), REAL)).isEqualTo(6.5);
      jvmti.locals().set(frame, "arg8", "other");
      jvmti.locals().setLongAt(thread, frame.depth(), WIDE, 44);
      assertThat(jvmti.locals().longAt(thread, frame.depth(), WIDE)).isEqualTo(44);
      assertThat(jvmti.locals().objectAt(thread, frame.depth(), TEXT)).contains("other");
      // What is no String may not follow one, nor anything what nobody knows.
      assertMismatch(() -> jvmti.locals().set(frame, "arg8", new int[0]));
      assertMismatch(() -> jvmti.locals().set(frame, "arg10", kept.keeper()));
      assertMismatch(() -> jvmti.locals().setIntAt(thread, frame.depth(), TEXT, 1));
      jvmti.locals().setNull(frame, "arg8");
      jvmti.threads().resume(thread);
    }
  }

  @Test
  void aVariableTakesItsTypeAlone() {
    ClassFiles.Loader loader = new ClassFiles.Loader("another");
    Object namesake = loader.relay(ClassFiles.of(Keeper.class), () -> {});
    assertThat(namesake.getClass().getName()).isEqualTo(Keeper.class.getName());
    try (Kept kept = Kept.platform();
        Jvmti jvmti = open()) {
      Thread thread = kept.thread();
      jvmti.threads().suspend(thread);
      StackFrame frame = kept.frame(jvmti, "keep");
      Locals locals = jvmti.locals();
      // The JVM itself would take it: it compares names.
      assertMismatch(() -> locals.set(frame, "peer", namesake));
      assertMismatch(() -> locals.set(frame, "peer", "text"));
      assertMismatch(() -> locals.set(frame, "text", 7));
      assertMismatch(() -> locals.set(frame, "array", new long[1]));
      assertMismatch(() -> locals.setIntAt(thread, frame.depth(), TEXT, 7));
      assertMismatch(() -> locals.setObjectAt(thread, frame.depth(), NUMBER, "text"));
      assertMismatch(() -> locals.intAt(thread, frame.depth(), WIDE));
      assertThatThrownBy(() -> locals.set(frame, "number", 7L))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("object is a java.lang.Long, which a variable of type I does not take");
      assertThatThrownBy(() -> locals.setNull(frame, "number"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("object is null, which a variable of type I does not take");
      assertThatThrownBy(() -> locals.set(frame, "unheardOf", 7))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("unheardOf, of [this, flag, ");
      jvmti.threads().resume(thread);
      assertThat(kept.outcome()).isEqualTo(UNTOUCHED);
    }
  }

  private static void assertMismatch(ThrowingCallable call) {
    assertCode(TYPE_MISMATCH, call);
  }

  private static void assertCode(int code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(JvmtiException.class))
        .extracting(JvmtiException::error)
        .isEqualTo(JvmtiError.of(code));
  }

  /** HotSpot goes on with a variable for one bytecode more than the class file says. */
  @Test
  void aVariableEndsWhereItsRangeEnds() {
    try (Kept kept = Kept.platform(next -> () -> Keeper.keepForAWhile(next));
        Jvmti jvmti = open()) {
      jvmti.threads().suspend(kept.thread());
      StackFrame frame = kept.frame(jvmti, "keepForAWhile");
      List<DeclaredVariable> table = jvmti.locals().table(frame.method()).orElseThrow();
      DeclaredVariable gone =
          table.stream().filter(one -> one.name().equals("gone")).findFirst().orElseThrow();
      assertThat(gone.isInScope(gone.start())).isTrue();
      assertThat(gone.isInScope(gone.end())).isFalse();
      assertThat(jvmti.locals().all(frame))
          .extracting(LocalVariable::name)
          .containsExactlyInAnyOrder("next", "sum");
      assertCode(
          INVALID_SLOT,
          () -> jvmti.locals().setIntAt(kept.thread(), frame.depth(), gone.slot(), 9));
      jvmti.threads().resume(kept.thread());
    }
  }

  @Test
  void variablesOfTheJdkAreReadAndNotWritten() {
    try (Kept kept = Kept.platform();
        Jvmti jvmti = open()) {
      jvmti.threads().suspend(kept.thread());
      StackFrame frame = kept.frame(jvmti, "await");
      StackFrame own =
          jvmti.frames().stackTrace(kept.thread()).stream()
              .filter(one -> one.className().equals(CountDownLatch.class.getName()))
              .findFirst()
              .orElseThrow();
      assertThat(jvmti.locals().instance(kept.thread(), own.depth())).isPresent();
      assertThatThrownBy(() -> jvmti.locals().setObjectAt(kept.thread(), own.depth(), 0, frame))
          .isInstanceOf(NotSupportedException.class)
          .hasMessageContaining("the JDK's own methods");
      jvmti.threads().resume(kept.thread());
    }
  }

  @Test
  void nativeMethodsHaveNoVariables() {
    try (Parked parked = Parked.inPark();
        Jvmti jvmti = open()) {
      jvmti.threads().suspend(parked.thread());
      StackFrame frame = jvmti.frames().at(parked.thread(), 0);
      assertThat(frame.isNative()).isTrue();
      assertThat(jvmti.locals().all(frame)).isEmpty();
      assertThat(jvmti.locals().instance(parked.thread(), 0))
          .hasValueSatisfying(
              unsafe -> assertThat(unsafe.getClass().getSimpleName()).isEqualTo("Unsafe"));
      jvmti.threads().resume(parked.thread());
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void aVirtualThreadIsWrittenInItsInnermostFrameAlone() {
    try (Kept kept = Kept.virtual();
        Jvmti jvmti = open()) {
      jvmti.threads().suspend(kept.thread());
      StackFrame frame = kept.frame(jvmti, "keep");
      assertThatThrownBy(() -> jvmti.locals().set(frame, "number", 7))
          .isInstanceOf(FrameUnavailableException.class)
          .hasMessageContaining("of a virtual thread: of those only the innermost one");
      jvmti.threads().resume(kept.thread());
      assertThat(kept.outcome()).isEqualTo(UNTOUCHED);
    }
  }

  @Test
  void aMethodWithoutCodeDeclaresNone() throws NoSuchMethodException {
    try (Jvmti jvmti = open()) {
      for (Method method :
          List.of(Object.class.getMethod("hashCode"), Runnable.class.getMethod("run"))) {
        assertThat(jvmti.locals().table(JvmMethod.of(method))).as(method.toString()).isEmpty();
      }
    }
  }

  /** GetLocalVariableTable. */
  @Test
  void theTableIsThatOfTheClassFile() {
    Optional<ToolProvider> javap = ToolProvider.findFirst("javap");
    assumeTrue(javap.isPresent(), "this runtime has no javap");
    try (Kept kept = Kept.platform();
        Jvmti jvmti = open()) {
      StackFrame frame = kept.frame(jvmti, "keep");
      List<DeclaredVariable> table = jvmti.locals().table(frame.method()).orElseThrow();
      assertThat(table)
          .extracting(
              one ->
                  "%d %d %d".formatted(one.start(), one.end() - one.start(), one.slot())
                      + " "
                      + one.name()
                      + " "
                      + one.signature())
          .isEqualTo(disassembled(javap.orElseThrow(), "keep"));
      assertThat(table).extracting(DeclaredVariable::generic).containsOnly(Optional.empty());
      assertThat(table.get(0))
          .asString()
          .startsWith("this Lio/jvmtools/functions/stack/Keeper; in");
    }
  }

  /** What javap says of the variables of a method of {@link Keeper}. */
  private static List<String> disassembled(ToolProvider javap, String method) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    String file = Keeper.class.getResource("Keeper.class").getPath();
    javap.run(out, out, "-p", "-c", "-l", file);
    String own = text.toString().substring(text.toString().indexOf(" " + method + "("));
    own = own.substring(own.indexOf("LocalVariableTable:"));
    own = own.contains("\n\n") ? own.substring(0, own.indexOf("\n\n")) : own;
    List<String> rows = new ArrayList<>();
    Matcher row = Pattern.compile("(\\d+) +(\\d+) +(\\d+) +(\\S+) +(\\S+)").matcher(own);
    while (row.find()) {
      rows.add(
          String.join(" ", row.group(1), row.group(2), row.group(3), row.group(4), row.group(5)));
    }
    return rows;
  }
}
