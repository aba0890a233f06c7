package io.jvmtools.functions.code;

import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_GET_BYTECODES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.code.Breakpoint;
import io.jvmtools.code.Breakpoints;
import io.jvmtools.code.Instruction;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.functions.Relay;
import io.jvmtools.support.GcUntil;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Breakpoints: SetBreakpoint and ClearBreakpoint, and whose they are. */
@OnlyUnderTheAgent
class BreakpointsTest {

  private static final int INVALID_LOCATION = 24;
  private static final int DUPLICATE = 40;
  private static final int NOT_FOUND = 41;

  private static Jvmti open() {
    return Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_GET_BYTECODES);
  }

  /** Has instructions of every length, and both kinds of switches. */
  private static int code(int number) {
    long wide = number * 1_000_000L;
    switch (number) {
      case 1, 2, 3:
        wide++;
        break;
      case 100_000:
        wide += "a text".length();
        break;
      default:
        List<String> all = new ArrayList<>();
        wide += all.size();
    }
    switch (number) {
      case -5:
        return 1;
      case 70_000:
        return 2;
      default:
        return (int) wide;
    }
  }

  private static JvmMethod method(Class<?> type, String name) {
    return java.util.Arrays.stream(type.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .map(JvmMethod::of)
        .findFirst()
        .orElseThrow();
  }

  private static JvmMethod code() {
    return method(BreakpointsTest.class, "code");
  }

  @Test
  void oneIsSetAtEachInstructionAndNowhereElse() {
    int expected = code(7);
    try (Jvmti jvmti = open()) {
      Breakpoints breakpoints = jvmti.breakpoints();
      JvmMethod method = code();
      byte[] codes = jvmti.methods().bytecodes(method).orElseThrow().toByteArray();
      List<Long> starts =
          jvmti.methods().bytecodes(method).orElseThrow().instructions().stream()
              .map(Instruction::location)
              .toList();
      for (long location = 0; location < codes.length; location++) {
        long at = location;
        if (starts.contains(at)) {
          breakpoints.set(method, at);
        } else {
          assertRefused(INVALID_LOCATION, () -> breakpoints.set(method, at));
        }
      }
      assertThat(breakpoints.all())
          .isEqualTo(starts.stream().map(at -> new Breakpoint(method, at)).toList());
      assertThat(code(7)).isEqualTo(expected);
      assertThat(jvmti.methods().bytecodes(method).orElseThrow().toByteArray()).isEqualTo(codes);
      for (long at : starts) {
        breakpoints.clear(method, at);
      }
      assertThat(breakpoints.all()).isEmpty();
      assertThat(code(7)).isEqualTo(expected);
    }
  }

  @Test
  void oneIsSetOnceAndClearedOnce() {
    try (Jvmti jvmti = open()) {
      Breakpoints breakpoints = jvmti.breakpoints();
      JvmMethod method = code();
      assertRefused(NOT_FOUND, () -> breakpoints.clear(method, 0));
      breakpoints.set(method, 0);
      assertRefused(DUPLICATE, () -> breakpoints.set(method, 0));
      assertThat(breakpoints.all()).containsExactly(new Breakpoint(method, 0));
      assertThat(breakpoints.all().get(0)).hasToString(method.toStackTraceElement(0) + " at 0");
      breakpoints.clear(method, 0);
      assertThat(breakpoints.all()).isEmpty();
      assertRefused(NOT_FOUND, () -> breakpoints.clear(method, 0));
    }
  }

  @Test
  void thereIsNoneWhereThereIsNoCode() {
    try (Jvmti jvmti = open()) {
      for (JvmMethod method :
          List.of(method(Object.class, "hashCode"), method(Runnable.class, "run"))) {
        assertRefused(INVALID_LOCATION, () -> jvmti.breakpoints().set(method, 0));
      }
      for (long nowhere : new long[] {-1, Long.MIN_VALUE, 1L << 32, Long.MAX_VALUE}) {
        assertRefused(INVALID_LOCATION, () -> jvmti.breakpoints().set(code(), nowhere));
      }
      assertThatNullPointerException()
          .isThrownBy(() -> jvmti.breakpoints().set(null, 0))
          .withMessage("method");
      assertThatNullPointerException()
          .isThrownBy(() -> jvmti.breakpoints().clear(null, 0))
          .withMessage("method");
    }
  }

  /** The JVM would keep them, and the next environment could set none there. */
  @Test
  void whatIsLeftIsClearedWithTheEnvironmentAndWithTheCapability() {
    JvmMethod method = code();
    Jvmti closed = open();
    closed.breakpoints().set(method, 0);
    closed.close();
    assertThatThrownBy(() -> closed.breakpoints().all())
        .isExactlyInstanceOf(IllegalStateException.class);
    try (Jvmti giving = open();
        Jvmti taking = Jvmti.open()) {
      giving.breakpoints().set(method, 0);
      giving.relinquish(CAN_GENERATE_BREAKPOINT_EVENTS);
      assertThat(giving.breakpoints().all()).isEmpty();
      taking.add(CAN_GENERATE_BREAKPOINT_EVENTS);
      taking.breakpoints().set(method, 0);
      assertThat(taking.breakpoints().all()).hasSize(1);
      assertThat(giving.breakpoints().all()).isEmpty();
    }
  }

  /** As long as it is set the JVM does. */
  @Test
  void aClassIsNotKeptOnceItsBreakpointIsCleared() {
    try (Jvmti jvmti = open()) {
      GcUntil.cleared(setAndCleared(jvmti));
      GcUntil.cleared(setInAnEnvironmentThatIsClosed(jvmti));
    }
  }

  private static WeakReference<Object> setAndCleared(Jvmti jvmti) {
    Class<?> type = copy();
    JvmMethod method = method(type, "pass");
    jvmti.breakpoints().set(method, 0);
    jvmti.breakpoints().clear(method, 0);
    return new WeakReference<>(type);
  }

  private static WeakReference<Object> setInAnEnvironmentThatIsClosed(Jvmti holder) {
    Class<?> type = copy();
    holder.relinquish(CAN_GENERATE_BREAKPOINT_EVENTS);
    try (Jvmti jvmti = open()) {
      jvmti.breakpoints().set(method(type, "pass"), 0);
    }
    return new WeakReference<>(type);
  }

  private static Class<?> copy() {
    Runnable relay =
        new ClassFiles.Loader("short-lived").relay(ClassFiles.of(Relay.class), () -> {});
    return relay.getClass();
  }

  private static void assertRefused(int code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(type(JvmtiException.class))
        .extracting(JvmtiException::error)
        .isEqualTo(JvmtiError.of(code));
  }
}
