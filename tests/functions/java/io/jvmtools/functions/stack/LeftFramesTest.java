package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_FORCE_EARLY_RETURN;
import static io.jvmtools.Capability.CAN_GENERATE_FRAME_POP_EVENTS;
import static io.jvmtools.Capability.CAN_GET_MONITOR_INFO;
import static io.jvmtools.Capability.CAN_POP_FRAME;
import static io.jvmtools.Capability.CAN_SIGNAL_THREAD;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static java.lang.invoke.MethodType.methodType;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.jvmtools.FrameUnavailableException;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.Spinning;
import io.jvmtools.functions.Spinning.Loop;
import io.jvmtools.stack.Frames;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Frames that are popped, and methods that return what they are told. */
@OnlyUnderTheAgent
class LeftFramesTest {

  private static final int TYPE_MISMATCH = 34;
  private static final int DUPLICATE = 40;

  /** So many that nothing is left to be linked. */
  private static final int MANY = 100_000;

  static Jvmti open() {
    return Jvmti.open(CAN_SUSPEND, CAN_POP_FRAME, CAN_FORCE_EARLY_RETURN);
  }

  /** What comes of a thread in a method of the loop that is suspended, left, and resumed. */
  private static String left(Function<Loop, Object> method, BiConsumer<Frames, Thread> how) {
    try (Spinning spinning = Spinning.in(method);
        Jvmti jvmti = open()) {
      jvmti.threads().suspend(spinning.thread());
      how.accept(jvmti.frames(), spinning.thread());
      jvmti.threads().resume(spinning.thread());
      return spinning.outcome();
    }
  }

  /**
   * ForceEarlyReturnVoid, ForceEarlyReturnObject, ForceEarlyReturnInt, ForceEarlyReturnLong,
   * ForceEarlyReturnFloat, ForceEarlyReturnDouble.
   */
  @Test
  void eachTypeIsReturned() {
    Function<Loop, Object> nothing =
        loop -> {
          loop.nothing();
          return "nothing";
        };
    Relay relay = new Relay(() -> {});
    assertThat(left(nothing, Frames::forceReturn)).isEqualTo("nothing by 1");
    assertThat(left(Loop::aBoolean, (frames, t) -> frames.forceReturn(t, true)))
        .isEqualTo("true by 1");
    assertThat(left(Loop::aByte, (frames, t) -> frames.forceReturn(t, -128)))
        .isEqualTo("-128 by 1");
    assertThat(left(Loop::aChar, (frames, t) -> frames.forceReturn(t, 'z'))).isEqualTo("z by 1");
    assertThat(left(Loop::aShort, (frames, t) -> frames.forceReturn(t, (short) -2)))
        .isEqualTo("-2 by 1");
    assertThat(left(Loop::anInt, (frames, t) -> frames.forceReturn(t, Integer.MIN_VALUE)))
        .isEqualTo("-2147483648 by 1");
    assertThat(left(Loop::aLong, (frames, t) -> frames.forceReturn(t, 1L << 40)))
        .isEqualTo("1099511627776 by 1");
    assertThat(left(Loop::aFloat, (frames, t) -> frames.forceReturn(t, 0.5f)))
        .isEqualTo("0.5 by 1");
    assertThat(left(Loop::aDouble, (frames, t) -> frames.forceReturn(t, -0.25)))
        .isEqualTo("-0.25 by 1");
    assertThat(left(Loop::aString, (frames, t) -> frames.forceReturn(t, "other")))
        .isEqualTo("other by 1");
    assertThat(left(Loop::aString, Frames::forceReturnNull)).isEqualTo("null by 1");
    assertThat(left(Loop::aRelay, (frames, t) -> frames.forceReturn(t, relay)))
        .isEqualTo(relay + " by 1");
  }

  /** PopFrame. */
  @Test
  void aMethodIsCalledAgainWithItsArgumentsAsItHasLeftThem() {
    assertThat(left(loop -> loop.oneMore(40), Frames::pop)).isEqualTo("42 by 2");
  }

  /** HotSpot would crash: such a caller passes something beside the parameters. */
  @Test
  void aMethodThatAMethodHandleHasCalledIsNotCalledAgain() throws ReflectiveOperationException {
    MethodHandle handle =
        MethodHandles.lookup().findVirtual(Loop.class, "anInt", methodType(int.class));
    try (Spinning spinning = Spinning.in(loop -> invoked(handle, loop));
        Jvmti jvmti = open()) {
      Thread thread = spinning.thread();
      jvmti.threads().suspend(thread);
      assertThatThrownBy(() -> jvmti.frames().pop(thread))
          .isInstanceOf(NotSupportedException.class)
          .hasMessageContaining("a method handle or reflection has called");
      jvmti.frames().forceReturn(thread, 3);
      jvmti.threads().resume(thread);
      assertThat(spinning.outcome()).isEqualTo("3 by 1");
    }
  }

  private static int invoked(MethodHandle handle, Loop loop) {
    try {
      return (int) handle.invokeExact(loop);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Its code has been compiled by then. */
  @Test
  void compiledMethodsAreLeft() {
    assertThat(left(Loop::compiled, (frames, t) -> frames.forceReturn(t, -1L)))
        .isEqualTo("-1 by 1");
    assertThat(left(Loop::compiled, Frames::pop)).endsWith(" by 2");
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void virtualThreadsReturnWhileTheyAreMountedAndCallNothingAgain() {
    try (Spinning returned = Spinning.virtual(Loop::anInt);
        Spinning again = Spinning.virtual(loop -> loop.oneMore(1));
        Parked parked = Parked.virtual();
        Jvmti jvmti = open()) {
      List<Thread> threads = List.of(returned.thread(), again.thread(), parked.thread());
      threads.forEach(jvmti.threads()::suspend);
      jvmti.frames().forceReturn(returned.thread(), 7);
      assertThatThrownBy(() -> jvmti.frames().pop(again.thread()))
          .isInstanceOf(NotSupportedException.class)
          .hasMessageContaining("on a virtual thread");
      jvmti.frames().forceReturn(again.thread(), 4);
      assertUnavailable(() -> jvmti.frames().pop(parked.thread()));
      assertUnavailable(() -> jvmti.frames().forceReturn(parked.thread(), true));
      threads.forEach(jvmti.threads()::resume);
      assertThat(returned.outcome()).isEqualTo("7 by 1");
      assertThat(again.outcome()).isEqualTo("4 by 1");
    }
  }

  @Test
  void whatWasLockedIsUnlockedAndNothingIsCleanedUp() {
    try (Spinning spinning = Spinning.in(Loop::locked);
        Jvmti jvmti = open()) {
      jvmti.add(CAN_GET_MONITOR_INFO);
      Thread thread = spinning.thread();
      Loop loop = spinning.loop();
      jvmti.threads().suspend(thread);
      jvmti.frames().pop(thread);
      jvmti.threads().resume(thread);
      spinning.awaitCall(2);
      assertThat(loop.isCleanedUp()).isFalse();
      assertThat(jvmti.objects().monitorUsage(loop).entryCount()).isEqualTo(1);
      assertThat(jvmti.objects().monitorUsage(loop.inner()).entryCount()).isEqualTo(1);
    }
    try (Spinning spinning = Spinning.in(Loop::locked);
        Jvmti jvmti = open()) {
      jvmti.add(CAN_GET_MONITOR_INFO);
      Thread thread = spinning.thread();
      Loop loop = spinning.loop();
      leave(jvmti, thread, frames -> frames.forceReturn(thread, 5));
      assertThat(spinning.outcome()).isEqualTo("5 by 1");
      assertThat(loop.isCleanedUp()).isFalse();
      assertThat(jvmti.objects().monitorUsage(loop).owner()).isEmpty();
      assertThat(jvmti.objects().monitorUsage(loop.inner()).owner()).isEmpty();
    }
  }

  @Test
  void whoIsResumedBecauseTheEnvironmentIsClosedLeavesItsFrame() {
    try (Spinning spinning = Spinning.in(Loop::anInt)) {
      try (Jvmti jvmti = open()) {
        jvmti.threads().suspend(spinning.thread());
        jvmti.frames().forceReturn(spinning.thread(), 3);
      }
      assertThat(spinning.outcome()).isEqualTo("3 by 1");
    }
  }

  @Test
  void aValueOfAnotherTypeIsNotReturned() {
    Object otherRelay = new ClassFiles.Loader("other").relay(ClassFiles.of(Relay.class), () -> {});
    assertMismatch(Loop::anInt, Frames::forceReturn);
    assertMismatch(Loop::anInt, (frames, t) -> frames.forceReturn(t, 1L));
    assertMismatch(Loop::anInt, (frames, t) -> frames.forceReturn(t, 1f));
    assertMismatch(Loop::anInt, (frames, t) -> frames.forceReturn(t, 1.0));
    assertMismatch(
        Loop::anInt, (frames, t) -> frames.forceReturn(t, Integer.valueOf(1).toString()));
    assertMismatch(Loop::anInt, Frames::forceReturnNull);
    assertMismatch(Loop::aLong, (frames, t) -> frames.forceReturn(t, 1));
    assertMismatch(Loop::aFloat, (frames, t) -> frames.forceReturn(t, 1));
    assertMismatch(Loop::aDouble, (frames, t) -> frames.forceReturn(t, 1f));
    assertMismatch(Loop::aString, (frames, t) -> frames.forceReturn(t, new Object()));
    assertMismatch(Loop::aString, (frames, t) -> frames.forceReturn(t, 1));
    // Of these the JVM would return each.
    assertMismatch(Loop::aBoolean, (frames, t) -> frames.forceReturn(t, 2));
    assertMismatch(Loop::aByte, (frames, t) -> frames.forceReturn(t, 128));
    assertMismatch(Loop::aChar, (frames, t) -> frames.forceReturn(t, -1));
    assertMismatch(Loop::aShort, (frames, t) -> frames.forceReturn(t, 1 << 15));
    assertMismatch(Loop::aRelay, (frames, t) -> frames.forceReturn(t, otherRelay));
  }

  private static void assertMismatch(
      Function<Loop, Object> method, BiConsumer<Frames, Thread> how) {
    String untouched;
    try (Spinning spinning = Spinning.in(method)) {
      untouched = spinning.outcome();
    }
    BiConsumer<Frames, Thread> refused =
        (frames, thread) ->
            assertThatThrownBy(() -> how.accept(frames, thread))
                .asInstanceOf(type(JvmtiException.class))
                .satisfies(e -> assertThat(e.error()).isEqualTo(JvmtiError.of(TYPE_MISMATCH)));
    assertThat(left(method, refused)).isEqualTo(untouched);
  }

  /** NotifyFramePop, ClearAllFramePops. */
  @Test
  void whoIsToBeToldOfAFrameIsForgottenWithTheEnvironment() {
    try (Spinning spinning = Spinning.in(Loop::anInt)) {
      for (int i = 0; i < 2; i++) {
        try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_GENERATE_FRAME_POP_EVENTS)) {
          jvmti.threads().suspend(spinning.thread());
          jvmti.frames().notifyPop(spinning.thread(), 0);
          jvmti.frames().notifyPop(spinning.thread(), 1);
          jvmti.frames().notifyPop(Thread.currentThread(), 0);
          jvmti.threads().resume(spinning.thread());
        }
      }
      assertThat(spinning.outcome()).isEqualTo("0 by 1");
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_25, disabledReason = "JDK 25 has ClearAllFramePops")
  void aFrameCanBeNamedAgainOnceAllAreForgotten() {
    try (Spinning spinning = Spinning.in(Loop::anInt);
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_GENERATE_FRAME_POP_EVENTS)) {
      Thread thread = spinning.thread();
      jvmti.threads().suspend(thread);
      for (int i = 0; i < 3; i++) {
        jvmti.frames().notifyPop(thread, 0);
        assertThatThrownBy(() -> jvmti.frames().notifyPop(thread, 0))
            .asInstanceOf(type(JvmtiException.class))
            .satisfies(e -> assertThat(e.error()).isEqualTo(JvmtiError.of(DUPLICATE)));
        jvmti.frames().clearPops(thread);
      }
      jvmti.threads().resume(thread);
    }
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_24, disabledReason = "JDK 25 has ClearAllFramePops")
  void beforeJdk25NoneIsForgotten() {
    try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_FRAME_POP_EVENTS)) {
      assertThatThrownBy(() -> jvmti.frames().clearPops(Thread.currentThread()))
          .isInstanceOf(NotSupportedException.class);
    }
  }

  @Test
  void nullsAreRefusedByName() {
    try (Jvmti jvmti = open()) {
      Frames frames = jvmti.frames();
      assertThatNullPointerException().isThrownBy(() -> frames.pop(null)).withMessage("thread");
      assertThatNullPointerException()
          .isThrownBy(() -> frames.forceReturn(null, 1))
          .withMessage("thread");
      assertThatNullPointerException()
          .isThrownBy(() -> frames.forceReturn(Thread.currentThread(), null))
          .withMessage("object");
    }
  }

  @Test
  void constructorsComeToTheirEnd() {
    Function<Loop, Object> unfinished =
        loop -> new Spinning.Unfinished(loop).getClass().getSimpleName();
    BiConsumer<Frames, Thread> refused =
        (frames, thread) ->
            assertThatThrownBy(() -> frames.forceReturn(thread))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("a constructor");
    assertThat(left(unfinished, refused)).isEqualTo("Unfinished by 1");
    try (Spinning spinning = Spinning.in(unfinished);
        Jvmti jvmti = open()) {
      leave(jvmti, spinning.thread(), frames -> frames.pop(spinning.thread()));
      assertThat(spinning.outcome()).isEqualTo("Unfinished by 2");
    }
  }

  /**
   * As soon as it is where that can be done: not where a field of another object is read, which
   * could be missing, nor where it was when it was left in another way.
   */
  static void leave(Jvmti jvmti, Thread thread, Consumer<Frames> how) {
    Eventually.isTrue("it is left", () -> isLeft(jvmti, thread, how));
  }

  private static boolean isLeft(Jvmti jvmti, Thread thread, Consumer<Frames> how) {
    jvmti.threads().suspend(thread);
    try {
      how.accept(jvmti.frames());
      return true;
    } catch (NotSupportedException | IllegalStateException elsewhere) {
      assertThat(elsewhere).hasMessageContaining("let it run a little");
      return false;
    } finally {
      jvmti.threads().resume(thread);
    }
  }

  /** It would count for centuries. */
  @Test
  void methodsOfTheJdkAreNotLeft() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    Runnable counts =
        () -> {
          // What is linked by native code is linked then.
          long few = LongStream.range(0, MANY).sum();
          inside.countDown();
          try {
            assertThat(LongStream.range(few, Long.MAX_VALUE).sum()).isZero();
          } catch (Stopped expected) {
            // By this test.
          }
        };
    Thread thread = Parked.in(counts, inside, () -> {}).thread();
    try (Jvmti jvmti = open()) {
      jvmti.add(CAN_SIGNAL_THREAD);
      Frames frames = jvmti.frames();
      Eventually.isTrue(
          "it counts",
          () -> frames.stackTrace(thread, 0, 1).get(0).className().startsWith("java.util.stream"));
      jvmti.threads().suspend(thread);
      assertThatThrownBy(() -> frames.pop(thread))
          .isInstanceOf(NotSupportedException.class)
          .hasMessageContaining("the JDK's own");
      assertThatThrownBy(() -> frames.forceReturn(thread, true))
          .isInstanceOf(NotSupportedException.class)
          .hasMessageContaining("the JDK's own");
      jvmti.threads().resume(thread);
      jvmti.threads().stop(thread, new Stopped());
      thread.join();
    }
  }

  private static final class Stopped extends Error {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void framesAreThereOnlyWhereTheThreadIsInJavaCode() {
    try (Parked parked = Parked.inPark();
        Jvmti jvmti = open()) {
      Thread me = Thread.currentThread();
      assertUnavailable(() -> jvmti.frames().pop(me));
      assertUnavailable(() -> jvmti.frames().forceReturn(me));
      assertUnavailable(() -> jvmti.frames().forceReturnNull(me));
      jvmti.threads().suspend(parked.thread());
      assertUnavailable(() -> jvmti.frames().pop(parked.thread()));
      assertUnavailable(() -> jvmti.frames().forceReturn(parked.thread(), 1));
      jvmti.threads().resume(parked.thread());
    }
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(FrameUnavailableException.class);
  }

  @Test
  void aParameterThatWasAssignedIsLookedAtWhereThatCanBeDone() {
    try (Spinning spinning = Spinning.in(loop -> loop.shorter("text"));
        Jvmti jvmti = open()) {
      Thread thread = spinning.thread();
      jvmti.threads().suspend(thread);
      assertThatThrownBy(() -> jvmti.frames().pop(thread))
          .isInstanceOf(NotSupportedException.class)
          .hasMessageContaining("can_access_local_variables");
      jvmti.add(CAN_ACCESS_LOCAL_VARIABLES);
      jvmti.frames().pop(thread);
      jvmti.threads().resume(thread);
      assertThat(spinning.outcome()).isEqualTo("xt by 2");
    }
  }

  /** As some optimisers have it; the JVM would call the method with a number for an object. */
  @Test
  void aParameterWhosePlaceHasAnotherValueIsNotPassedOn() {
    Function<Loop, Object> reusing = new Reusing().make();
    try (Spinning spinning = Spinning.in(reusing);
        Jvmti jvmti = open()) {
      jvmti.add(CAN_ACCESS_LOCAL_VARIABLES);
      Thread thread = spinning.thread();
      jvmti.threads().suspend(thread);
      assertThatThrownBy(() -> jvmti.frames().pop(thread))
          .isInstanceOf(NotSupportedException.class)
          .hasMessageContaining("something else by now where its parameters were");
      jvmti.threads().resume(thread);
      leave(jvmti, thread, frames -> frames.forceReturn(thread, "returned"));
      assertThat(spinning.outcome()).isEqualTo("returned by 0");
    }
  }

  /** Defines a class whose method keeps a number where it got the loop, in which it turns. */
  private static final class Reusing extends ClassLoader {

    private static final String LOOP = Type.getInternalName(Loop.class);

    Reusing() {
      super(Reusing.class.getClassLoader());
    }

    @SuppressWarnings("unchecked")
    Function<Loop, Object> make() {
      byte[] file = file();
      try {
        return (Function<Loop, Object>)
            defineClass(null, file, 0, file.length).getConstructor().newInstance();
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    private static byte[] file() {
      ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      String object = Type.getInternalName(Object.class);
      String[] interfaces = {Type.getInternalName(Function.class)};
      // The last version that needs no stack maps.
      writer.visit(Opcodes.V1_5, Opcodes.ACC_PUBLIC, "Optimised", null, object, interfaces);
      MethodVisitor made = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
      made.visitVarInsn(Opcodes.ALOAD, 0);
      made.visitMethodInsn(Opcodes.INVOKESPECIAL, object, "<init>", "()V", false);
      made.visitInsn(Opcodes.RETURN);
      made.visitMaxs(0, 0);
      String descriptor = "(L" + object + ";)L" + object + ";";
      turn(writer.visitMethod(Opcodes.ACC_PUBLIC, "apply", descriptor, null, null));
      return writer.toByteArray();
    }

    private static void turn(MethodVisitor method) {
      method.visitVarInsn(Opcodes.ALOAD, 1);
      method.visitTypeInsn(Opcodes.CHECKCAST, LOOP);
      method.visitVarInsn(Opcodes.ASTORE, 2);
      method.visitInsn(Opcodes.ICONST_1);
      method.visitVarInsn(Opcodes.ISTORE, 1);
      Label turn = new Label();
      method.visitLabel(turn);
      method.visitVarInsn(Opcodes.ALOAD, 2);
      method.visitVarInsn(Opcodes.ILOAD, 1);
      method.visitFieldInsn(Opcodes.PUTFIELD, LOOP, "reached", "I");
      method.visitVarInsn(Opcodes.ALOAD, 2);
      method.visitFieldInsn(Opcodes.GETFIELD, LOOP, "over", "Z");
      method.visitJumpInsn(Opcodes.IFEQ, turn);
      method.visitInsn(Opcodes.ACONST_NULL);
      method.visitInsn(Opcodes.ARETURN);
      method.visitMaxs(0, 0);
    }
  }
}
