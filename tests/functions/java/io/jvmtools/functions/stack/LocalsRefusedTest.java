package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.stack.Locals;
import io.jvmtools.stack.StackFrame;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Calls about local variables that nobody can answer. */
class LocalsRefusedTest {

  @Test
  void nullsAreNamed() {
    try (Jvmti jvmti = Jvmti.open()) {
      Locals locals = jvmti.locals();
      StackFrame here = jvmti.frames().at(Thread.currentThread(), 0);
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(
              () -> locals.all(null, 0),
              () -> locals.instance(null, 0),
              () -> locals.objectAt(null, 0, 0),
              () -> locals.intAt(null, 0, 0),
              () -> locals.longAt(null, 0, 0),
              () -> locals.floatAt(null, 0, 0),
              () -> locals.doubleAt(null, 0, 0),
              () -> locals.setObjectAt(null, 0, 0, null),
              () -> locals.setIntAt(null, 0, 0, 0),
              () -> locals.setLongAt(null, 0, 0, 0),
              () -> locals.setFloatAt(null, 0, 0, 0),
              () -> locals.setDoubleAt(null, 0, 0, 0))) {
        assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage("thread");
      }
      assertNull("frame", () -> locals.all(null));
      assertNull("frame", () -> locals.set(null, "here", 1));
      assertNull("name", () -> locals.set(here, null, 1));
      assertNull("method", () -> locals.table(null));
    }
  }

  private static void assertNull(String parameter, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(parameter);
  }

  @Test
  @EnabledIfSystemProperty(
      named = UnderTheAgentTest.INSIDE,
      matches = "true",
      disabledReason = "the capability needs the agent at start")
  void aClosedEnvironmentAnswersNothing() {
    Jvmti jvmti = Jvmti.open(CAN_ACCESS_LOCAL_VARIABLES);
    Thread me = Thread.currentThread();
    StackFrame here = jvmti.frames().at(me, 0);
    Locals locals = jvmti.locals();
    jvmti.close();
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> locals.all(here),
            () -> locals.all(me, 0),
            () -> locals.set(here, "me", null),
            () -> locals.instance(me, 0),
            () -> locals.intAt(me, 0, 0),
            () -> locals.setIntAt(me, 0, 0, 0),
            () -> locals.table(here.method()))) {
      assertThatThrownBy(call).isExactlyInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void withoutTheCapabilityItIsNamed() {
    try (Jvmti jvmti = Jvmti.open()) {
      assertThatThrownBy(() -> jvmti.locals().all(Thread.currentThread(), 0))
          .asInstanceOf(type(MissingCapabilityException.class))
          .extracting(MissingCapabilityException::capability)
          .isEqualTo(CAN_ACCESS_LOCAL_VARIABLES);
    }
  }
}
