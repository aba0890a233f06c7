package io.jvmtools.functions.thread;

import static io.jvmtools.Capability.CAN_SUPPORT_VIRTUAL_THREADS;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jvmtools.JvmtiException;
import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.internal.thread.SuspensionNatives;
import io.jvmtools.internal.thread.ThreadNatives;
import io.jvmtools.support.Parked;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** A null in a list of threads, which only a native lets through: the JVM refuses it alone. */
class NullThreadsTest {

  private static final long LONG = Duration.ofMinutes(5).toNanos();
  private static final int NONE = 0;
  private static final int INVALID_THREAD = 10;
  private static final int NOT_SUSPENDED = 13;

  private final Object owner = new Object();
  private final long env = open(owner);

  private static long open(Object owner) {
    NativeLibrary.load();
    return GeneralNatives.open(owner);
  }

  @AfterEach
  void close() {
    GeneralNatives.close(env);
  }

  @Test
  void amongWhatIsSuspendedForATimeItIsInNobodysWay() {
    CapabilitiesNatives.addCapabilities(env, 1L << CAN_SUSPEND.ordinal());
    try (Parked stands = Parked.inPark();
        Parked other = Parked.inPark()) {
      int[] codes = new int[2];
      Thread[] all = {stands.thread(), null, other.thread()};
      boolean inTime =
          whileSuspended(
              codes,
              () -> {
                ThreadNatives.suspendThread(env, other.thread());
                ThreadNatives.resumeThread(env, other.thread());
                assertThat(ThreadNatives.resumeThreadList(env, all))
                    .containsExactly(NONE, INVALID_THREAD, NOT_SUSPENDED);
                assertThat(ThreadNatives.suspendThreadList(env, all))
                    .containsExactly(NONE, INVALID_THREAD, NONE);
              },
              stands.thread(),
              null);
      assertThat(inTime).isTrue();
      assertThat(codes).containsExactly(NONE, INVALID_THREAD);
      assertThat(ThreadNatives.resumeThreadList(env, all))
          .containsExactly(NONE, INVALID_THREAD, NONE);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void amongTheVirtualThreadsThatAreLeftOutItIsRefusedAsAlways() {
    CapabilitiesNatives.addCapabilities(
        env, 1L << CAN_SUSPEND.ordinal() | 1L << CAN_SUPPORT_VIRTUAL_THREADS.ordinal());
    try (Parked stands = Parked.virtual()) {
      Thread[] nobody = {null};
      Runnable refused =
          () -> {
            assertInvalid(() -> ThreadNatives.suspendAllVirtualThreads(env, nobody));
            assertInvalid(() -> ThreadNatives.resumeAllVirtualThreads(env, nobody));
          };
      refused.run();
      assertThat(whileSuspended(new int[1], refused, stands.thread())).isTrue();
    }
  }

  private boolean whileSuspended(int[] codes, Runnable action, Thread... threads) {
    return SuspensionNatives.whileSuspended(env, threads, LONG, Bridge.SUSPEND_SOME, codes, action);
  }

  private static void assertInvalid(ThrowingCallable call) {
    JvmtiException refusal = catchThrowableOfType(JvmtiException.class, call);
    assertThat(refusal.error().number()).isEqualTo(INVALID_THREAD);
  }
}
