package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_SIGNAL_THREAD;
import static io.jvmtools.functions.stack.LeftFramesTest.leave;
import static io.jvmtools.functions.stack.LeftFramesTest.open;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.NotSupportedException;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.functions.Spinning;
import io.jvmtools.functions.Spinning.Loop;
import io.jvmtools.fuzz.Gauge;
import io.jvmtools.stack.Frames;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.support.Eventually;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is refused of a thread that may not have left its frame yet, as it was told. */
@OnlyUnderTheAgent
class PendingFramesTest {

  private static final String PENDING = "the thread is about to leave its frame already";

  private static final int MANY_THREADS = 300;

  /** Nanoseconds of a processor. */
  private static final long MUCH = 20_000_000;

  /**
   * It is at the same place of the same method each time: nobody knows that it has run but the JVM.
   */
  @Test
  void aFrameIsPoppedEachTimeThatItsThreadHasRun() {
    try (Spinning spinning = Spinning.in(Loop::anInt);
        Jvmti jvmti = open()) {
      Thread thread = spinning.thread();
      for (int call = 1; call <= 10; call++) {
        spinning.awaitCall(call);
        jvmti.threads().suspend(thread);
        jvmti.frames().pop(thread);
        assertPending(() -> jvmti.frames().pop(thread));
        assertPending(() -> jvmti.frames().forceReturn(thread, 1));
        jvmti.threads().resume(List.of(thread));
      }
      spinning.awaitCall(11);
      assertThat(spinning.outcome()).isEqualTo("0 by 11");
    }
  }

  @Test
  void whoIsReturnedFromIsNotPopped() {
    try (Spinning spinning = Spinning.in(Loop::anInt);
        Jvmti jvmti = open()) {
      Thread thread = spinning.thread();
      leave(
          jvmti,
          thread,
          frames -> {
            frames.forceReturn(thread, 12);
            assertPending(() -> frames.pop(thread));
            assertPending(() -> frames.forceReturn(thread, 13));
          });
      assertThat(spinning.outcome()).isEqualTo("12 by 1");
    }
  }

  /**
   * However much it may have run: what it has used of a processor may have been for others. Until
   * its method is compiled it stops anywhere, and is popped there.
   */
  @Test
  void whoWasPoppedAndIsWhereItWasIsNotReturnedFrom() {
    try (Spinning spinning = Spinning.in(Loop::anInt);
        Jvmti jvmti = open()) {
      Thread thread = spinning.thread();
      AtomicInteger calls = new AtomicInteger(1);
      Eventually.isTrue(
          "it is at the same place",
          () -> {
            jvmti.threads().suspend(thread);
            jvmti.frames().pop(thread);
            StackFrame popped = jvmti.frames().at(thread, 0);
            jvmti.threads().resume(thread);
            spinning.awaitCall(calls.incrementAndGet());
            awaitMuchOf(thread);
            jvmti.threads().suspend(thread);
            boolean isThere = jvmti.frames().at(thread, 0).equals(popped);
            if (isThere) {
              assertPending(() -> jvmti.frames().forceReturn(thread, 1));
            }
            jvmti.threads().resume(thread);
            return isThere;
          });
      assertThat(spinning.outcome()).isEqualTo("0 by " + calls);
    }
  }

  private static void awaitMuchOf(Thread thread) {
    long before = JvmTools.getThreadCpuTimeNanos(thread);
    Eventually.isTrue("it runs", () -> JvmTools.getThreadCpuTimeNanos(thread) > before + MUCH);
  }

  @Test
  void ofThoseWhoHaveEndedFewAreRemembered() {
    try (Jvmti jvmti = open()) {
      long before = Gauge.read().weaks();
      for (int i = 0; i < MANY_THREADS; i++) {
        try (Spinning spinning = Spinning.in(Loop::anInt)) {
          leave(jvmti, spinning.thread(), frames -> frames.forceReturn(spinning.thread(), 12));
          assertThat(spinning.outcome()).isEqualTo("12 by 1");
        }
      }
      assertThat(Gauge.read().weaks()).isLessThan(before + MANY_THREADS);
    }
  }

  /** What it is declared as was found out before. */
  @Test
  void whoIsToCallAgainKeepsItsParameters() {
    try (Spinning spinning = Spinning.in(Loop::anInt);
        Jvmti jvmti = open()) {
      jvmti.add(CAN_ACCESS_LOCAL_VARIABLES);
      Thread thread = spinning.thread();
      jvmti.threads().suspend(thread);
      jvmti.frames().pop(thread);
      assertPending(() -> jvmti.locals().setObjectAt(thread, 0, 0, new Loop()));
      assertPending(() -> jvmti.locals().setNullAt(thread, 0, 0));
      jvmti.locals().setIntAt(thread, 0, 1, 7);
      jvmti.threads().resume(thread);
      spinning.awaitCall(2);
      assertThat(spinning.outcome()).isEqualTo("0 by 2");
    }
  }

  /** HotSpot would find that an exception is installed while the frame is left, and end. */
  @Test
  void inWhomSomethingIsThrownDoesNotLeaveItsFrameInAnotherWay() {
    try (Spinning spinning = Spinning.in(PendingFramesTest::anIntOrMessage);
        Jvmti jvmti = open()) {
      jvmti.add(CAN_SIGNAL_THREAD, CAN_ACCESS_LOCAL_VARIABLES);
      Thread thread = spinning.thread();
      jvmti.threads().suspend(thread);
      jvmti.threads().stop(thread, new IllegalStateException("stopped"));
      assertThrowing(() -> jvmti.frames().pop(thread));
      assertThrowing(() -> jvmti.frames().forceReturn(thread, 1));
      jvmti.locals().setObjectAt(thread, 0, 0, spinning.loop());
      jvmti.threads().resume(thread);
      assertThat(spinning.outcome()).isEqualTo("stopped by 1");
    }
  }

  private static Object anIntOrMessage(Loop loop) {
    try {
      return loop.anInt();
    } catch (IllegalStateException stopped) {
      return stopped.getMessage();
    }
  }

  /** Where it was when that was thrown nobody knows. */
  @Test
  void inWhomSomethingWasThrownWhileItRanIsSeenElsewhereFirst() {
    Loop second = new Loop();
    Loop third = new Loop();
    try (Spinning spinning = Spinning.in(loop -> anIntAnd(loop, second, third));
        Jvmti jvmti = open()) {
      jvmti.add(CAN_SIGNAL_THREAD);
      Thread thread = spinning.thread();
      jvmti.threads().stop(thread, new IllegalStateException("stopped"));
      Eventually.isTrue("it was thrown", () -> second.reached == 1);
      jvmti.threads().suspend(thread);
      assertThrowing(() -> jvmti.frames().pop(thread));
      jvmti.threads().resume(thread);
      second.over = true;
      Eventually.isTrue("it is elsewhere", () -> third.reached == 1);
      leave(jvmti, thread, frames -> frames.forceReturn(thread, "forced"));
      assertThat(spinning.outcome()).isEqualTo("forced by 1");
    } finally {
      second.over = true;
      third.over = true;
    }
  }

  private static Object anIntAnd(Loop first, Loop second, Loop third) {
    try {
      return first.anInt();
    } catch (IllegalStateException stopped) {
      second.aLong();
      return third.aString();
    }
  }

  /** Where it stood is known: elsewhere it has thrown. */
  @Test
  void whoStoodWhenSomethingWasThrownInHimHasThrownItElsewhere() {
    Loop second = new Loop();
    try (Spinning spinning = Spinning.in(loop -> anIntOrLong(loop, second));
        Jvmti jvmti = open()) {
      jvmti.add(CAN_SIGNAL_THREAD);
      Thread thread = spinning.thread();
      jvmti.threads().suspend(thread);
      jvmti.threads().stop(thread, new IllegalStateException("stopped"));
      jvmti.threads().resume(thread);
      Eventually.isTrue("it is elsewhere", () -> second.reached == 1);
      leave(jvmti, thread, frames -> notForThrowing(() -> frames.forceReturn(thread, 7L)));
      assertThat(spinning.outcome()).isEqualTo("7 by 1");
    } finally {
      second.over = true;
    }
  }

  private static Object anIntOrLong(Loop first, Loop second) {
    try {
      return first.anInt();
    } catch (IllegalStateException stopped) {
      return second.aLong();
    }
  }

  /** Whatever else it may be refused for. */
  private static void notForThrowing(Runnable call) {
    try {
      call.run();
    } catch (NotSupportedException | IllegalStateException refused) {
      assertThat(refused).hasMessageNotContaining("about to throw");
      throw refused;
    }
  }

  @Test
  void inWhoIsToLeaveItsFrameNothingIsThrown() {
    assertStays(Frames::pop, "0 by 2");
    assertStays((frames, thread) -> frames.forceReturn(thread, 12), "12 by 1");
  }

  private static void assertStays(BiConsumer<Frames, Thread> how, String outcome) {
    try (Spinning spinning = Spinning.in(Loop::anInt);
        Jvmti jvmti = open()) {
      jvmti.add(CAN_SIGNAL_THREAD);
      Thread thread = spinning.thread();
      Exception exception = new IllegalStateException("stopped");
      leave(
          jvmti,
          thread,
          frames -> {
            how.accept(frames, thread);
            assertPending(() -> jvmti.threads().stop(thread, exception));
          });
      assertThat(spinning.outcome()).isEqualTo(outcome);
    }
  }

  private static void assertThrowing(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the thread is about to throw");
  }

  private static void assertPending(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isExactlyInstanceOf(IllegalStateException.class)
        .hasMessageContaining(PENDING);
  }
}
