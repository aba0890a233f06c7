package io.jvmtools.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.NotSupportedException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.environment.CapabilityMasks;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailuresTest {

  @ParameterizedTest
  @CsvSource({
    "15,  GetThreadCpuTime, io.jvmtools.ThreadNotAliveException",
    "31,  GetFrameLocation, io.jvmtools.FrameUnavailableException",
    "32,  GetFrameLocation, io.jvmtools.FrameUnavailableException",
    "13,  ResumeThread,     io.jvmtools.ThreadNotSuspendedException",
    "113, ResumeThread,     io.jvmtools.ThreadNotSuspendedException",
    "113, SuspendThread,    io.jvmtools.JvmtiException",
    "14,  SuspendThread,    io.jvmtools.ThreadSuspendedException",
    "103, GetStackTrace,    io.jvmtools.FrameUnavailableException",
    "103, GetErrorName,     io.jvmtools.JvmtiException",
    "73,  GetThreadCpuTime, io.jvmtools.NotSupportedException",
    "98,  GetTimerInfo,     io.jvmtools.NotSupportedException",
    "112, GetAllThreads,    io.jvmtools.WrongPhaseException",
    "20,  SetTag,           io.jvmtools.JvmtiException",
    "9999, SetTag,          io.jvmtools.JvmtiException",
  })
  void aCodeBecomesItsException(int code, String function, Class<?> exception) {
    assertThatThrownBy(() -> Failures.raise(code, function, null, 0))
        .isExactlyInstanceOf(exception)
        .hasMessageStartingWith(function + ": JVMTI_ERROR_")
        .asInstanceOf(type(JvmtiException.class))
        .satisfies(
            e -> {
              assertThat(e.code()).isEqualTo(code);
              assertThat(e.function()).isEqualTo(function);
              assertThat(e.error().number()).isEqualTo(code);
            });
  }

  @Test
  void messagesSayWhatHappenedAndEndWithTheDetail() {
    assertThatThrownBy(() -> Failures.raise(15, "GetStackTrace", "worker", 0))
        .isInstanceOf(ThreadNotAliveException.class)
        .hasMessage(
            "GetStackTrace: JVMTI_ERROR_THREAD_NOT_ALIVE (15): the thread \"worker\" has not"
                + " started yet, or has ended");
    assertThatThrownBy(() -> Failures.raise(15, "GetStackTrace", "", 0))
        .hasMessageEndingWith("(15): the thread has not started yet, or has ended");
    assertThatThrownBy(() -> Failures.raise(10, "RunAgentThread", "worker", 0))
        .hasMessage(
            "RunAgentThread: JVMTI_ERROR_INVALID_THREAD (10): the thread \"worker\" has been"
                + " started before, or its constructor has not run");
    assertThatThrownBy(() -> Failures.raise(103, "GetErrorName", "", 0))
        .hasMessage(
            "GetErrorName: JVMTI_ERROR_ILLEGAL_ARGUMENT (103): the JVM knows no error with this"
                + " number");
    assertThatThrownBy(() -> Failures.raise(103, "AddModuleOpens", "", 0))
        .hasMessageEndingWith("(103): the module has no package of this name");
    assertThatThrownBy(() -> Failures.raise(21, "AddModuleUses", "", 0))
        .hasMessageEndingWith("(21): a primitive type is no service, and provides none");
    assertThatThrownBy(() -> Failures.raise(113, "AddModuleReads", "", 0))
        .hasMessageEndingWith("(113): the JDK's own code has thrown, as without memory");
    assertThatThrownBy(() -> Failures.raise(32, "GetLocalInt", "", 0))
        .hasMessageEndingWith("(32): the frame is native, or its virtual thread is not mounted");
    assertThatThrownBy(() -> Failures.raise(32, "SetLocalInt", "", 0))
        .hasMessageEndingWith(
            "while the thread is mounted, and on some JDKs not once it is compiled");
    assertThatThrownBy(() -> Failures.raise(20, "SetTag", "", 0))
        .hasMessage("SetTag: JVMTI_ERROR_INVALID_OBJECT (20)");
  }

  @Test
  void aClosedEnvironmentIsAnIllegalState() {
    assertThatThrownBy(() -> Failures.raise(Bridge.CLOSED, "", null, 5))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this environment is closed; open another one");
    assertThatThrownBy(() -> Failures.raise(116, "GetTag", null, 5))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("GetTag: this environment is closed; open another one");
  }

  @Test
  void aPanicIsAnInternalErrorAndNoMemoryAnOutOfMemoryError() {
    assertThatThrownBy(() -> Failures.raise(Bridge.PANIC, "", "panic in native code: x", 0))
        .isInstanceOf(InternalError.class)
        .hasMessage("panic in native code: x");
    assertThatThrownBy(() -> Failures.raise(110, "GetAllStackTraces", null, 0))
        .isInstanceOf(OutOfMemoryError.class);
    assertThatThrownBy(() -> Failures.raise(Bridge.STATE, "", "the agent is shutting down", 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the agent is shutting down");
  }

  @Test
  void aCapabilityThatIsFreeAgainWasHeldByAnotherEnvironment() {
    Set<Capability> wanted = Set.of(Capability.CAN_SUSPEND);
    CapabilityMasks free = new CapabilityMasks(0, 1L << Capability.CAN_SUSPEND.ordinal(), 0, 0, 17);
    NotSupportedException refusal =
        new NotSupportedException("AddCapabilities", JvmtiError.of(98), "");
    assertThat(Failures.refused(wanted, free, refusal))
        .isInstanceOfSatisfying(
            MissingCapabilityException.class,
            e -> {
              assertThat(e.capability()).isEqualTo(Capability.CAN_SUSPEND);
              assertThat(e.reason()).isEqualTo(Reason.HELD_BY_ANOTHER_ENVIRONMENT);
            });
  }

  @Test
  void aCapabilityThatWasAddedSinceWasNotRequested() {
    CapabilityMasks held = new CapabilityMasks(1L << Capability.CAN_SUSPEND.ordinal(), 0, 0, 0, 17);
    assertThat(Failures.missing("SuspendThread", JvmtiError.of(99), "", held))
        .isInstanceOfSatisfying(
            MissingCapabilityException.class,
            e -> {
              assertThat(e.capability()).isEqualTo(Capability.CAN_SUSPEND);
              assertThat(e.reason()).isEqualTo(Reason.NOT_REQUESTED);
            });
  }
}
