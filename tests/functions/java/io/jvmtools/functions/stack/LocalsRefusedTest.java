package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.stack.Locals;
import io.jvmtools.stack.StackFrame;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Calls about local variables that nobody can answer. */
class LocalsRefusedTest {

  @Test
  @OnlyUnderTheAgent
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
            () -> locals.setNull(here, "me"),
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
