package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_FORCE_EARLY_RETURN;
import static io.jvmtools.Capability.CAN_GET_BYTECODES;
import static io.jvmtools.Capability.CAN_POP_FRAME;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.Jvmti;
import io.jvmtools.NotSupportedException;
import io.jvmtools.dump.DumpedName;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.objects.RawMonitor;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import io.jvmtools.support.ProductClasses;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What our natives take for true is in the frames of the methods that call them. */
@OnlyUnderTheAgent
class OwnFramesTest {

  /** Its text is looked through character by character, in a loop of ours. */
  private static final DumpedName LONG = new DumpedName("x".repeat(10_000_000), 1);

  @Test
  void theirVariablesAreNotWritten() {
    try (Jvmti other = Jvmti.open();
        RawMonitor monitor = other.rawMonitors().create("held");
        Parked holder = holder(monitor);
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES)) {
      Thread thread = holder.thread();
      jvmti.threads().suspend(thread);
      List<StackFrame> own =
          jvmti.frames().stackTrace(thread).stream()
              .filter(frame -> frame.className().equals(RawMonitor.class.getName()))
              .filter(frame -> !frame.isNative())
              .toList();
      assertThat(own).isNotEmpty();
      for (StackFrame frame : own) {
        assertThat(jvmti.locals().instance(thread, frame.depth())).containsSame(monitor);
        int depth = frame.depth();
        assertRefused(() -> jvmti.locals().setObjectAt(thread, depth, 0, monitor));
        assertRefused(() -> jvmti.locals().setNullAt(thread, depth, 1));
        assertRefused(() -> jvmti.locals().setLongAt(thread, depth, 1, 1));
      }
      jvmti.threads().resume(thread);
    }
  }

  private static Parked holder(RawMonitor monitor) {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Runnable waits =
        () -> {
          inside.countDown();
          try {
            over.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        };
    return Parked.in(
        () ->
            monitor.hold(
                () -> {
                  waits.run();
                  return null;
                }),
        inside,
        over::countDown);
  }

  @Test
  void theyAreNotLeft() {
    Set<String> ours = ours();
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch inside = new CountDownLatch(1);
    Runnable looks =
        () -> {
          // Who is suspended while he loads a class keeps it from others.
          long length = LONG.toString().length();
          inside.countDown();
          while (!over.get()) {
            length += LONG.toString().length();
          }
          assertThat(length).isPositive();
        };
    try (Parked looking = Parked.in(looks, inside, () -> over.set(true));
        Jvmti jvmti =
            Jvmti.open(CAN_SUSPEND, CAN_POP_FRAME, CAN_FORCE_EARLY_RETURN, CAN_GET_BYTECODES)) {
      Thread thread = looking.thread();
      Eventually.isTrue("it is in a loop of ours", () -> isSuspendedIn(ours, jvmti, thread));
      assertRefused(() -> jvmti.frames().pop(thread));
      assertRefused(() -> jvmti.frames().forceReturn(thread, 1));
      assertRefused(() -> jvmti.frames().forceReturnNull(thread));
      jvmti.threads().resume(thread);
    }
  }

  private static Set<String> ours() {
    return Stream.concat(ProductClasses.internal().stream(), ProductClasses.exported().stream())
        .map(Class::getName)
        .collect(Collectors.toSet());
  }

  private static boolean isSuspendedIn(Set<String> classes, Jvmti jvmti, Thread thread) {
    jvmti.threads().suspend(thread);
    boolean isIn = classes.contains(jvmti.frames().at(thread, 0).className());
    if (!isIn) {
      jvmti.threads().resume(thread);
    }
    return isIn;
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatExceptionOfType(NotSupportedException.class)
        .isThrownBy(call)
        .withMessageContaining("methods of this library itself");
  }
}
