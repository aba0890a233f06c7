package io.jvmtools.functions.thread;

import static io.jvmtools.Capability.CAN_SUPPORT_VIRTUAL_THREADS;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Parked;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Whoever has suspended a thread can resume it: the capability stays as long as it is needed. */
@Tag(UnderTheAgentTest.ONCE)
class SuspendCapabilityTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  private Counting one;
  private Counting other;

  /** Not with the instance, which JUnit makes for disabled tests, too, and never ends. */
  @BeforeEach
  void begin() {
    one = Counting.platform();
    other = Counting.platform();
  }

  @AfterEach
  void end() {
    JvmTools.resumeThreadList(List.of(one.thread(), other.thread()));
    one.close();
    other.close();
  }

  @Test
  void itCannotBeGivenBackWhileAThreadIsSuspended() {
    try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      jvmti.threads().suspend(one.thread());
      assertThatIllegalStateException().isThrownBy(() -> jvmti.relinquish(CAN_SUSPEND));
      assertThat(jvmti.capabilities().held()).containsExactly(CAN_SUSPEND);
      assertThat(one.stands()).isTrue();
      jvmti.threads().resume(one.thread());
      one.runs();
      canBeGivenBack(jvmti);
    }
  }

  @Test
  void norInsideAnActionWithSuspendedThreads() {
    try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      boolean stood =
          jvmti
              .threads()
              .withSuspended(
                  one.thread(),
                  LONG,
                  () -> {
                    assertThatIllegalStateException()
                        .isThrownBy(() -> jvmti.relinquish(CAN_SUSPEND));
                    return one.stands();
                  });
      assertThat(stood).isTrue();
      one.runs();
      canBeGivenBack(jvmti);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void norWhileAllVirtualThreadsAreSuspended() {
    try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_SUPPORT_VIRTUAL_THREADS)) {
      jvmti.threads().suspendAllVirtual();
      try {
        assertThatIllegalStateException().isThrownBy(() -> jvmti.relinquish(CAN_SUSPEND));
      } finally {
        jvmti.threads().resumeAllVirtual();
      }
      canBeGivenBack(jvmti);
    }
  }

  private static void canBeGivenBack(Jvmti jvmti) {
    jvmti.relinquish(CAN_SUSPEND);
    assertThat(jvmti.capabilities().held()).doesNotContain(CAN_SUSPEND);
    canBeHadByAnother();
  }

  private static void canBeHadByAnother() {
    try (Jvmti other = Jvmti.open(CAN_SUSPEND)) {
      assertThat(other.capabilities().held()).containsExactly(CAN_SUSPEND);
    }
  }

  @Test
  void theStaticDoorHasItAsLongAsItHasSuspendedThreads() {
    JvmTools.suspendThread(one.thread());
    assertThat(JvmTools.suspendThreadList(List.of(other.thread()))).isEmpty();
    isHeldByTheStaticDoor();
    JvmTools.resumeThread(one.thread());
    one.runs();
    isHeldByTheStaticDoor();
    JvmTools.resumeThread(other.thread());
    other.runs();
    isHeldNoLonger();
  }

  @Test
  void aThreadThatSuspendedItselfCounts() throws InterruptedException {
    Thread thread = new Thread(() -> JvmTools.suspendThread(Thread.currentThread()), "itself");
    thread.setDaemon(true);
    thread.start();
    Eventually.isTrue("it is suspended", () -> JvmTools.getThreadState(thread).isSuspended());
    isHeldByTheStaticDoor();
    JvmTools.resumeThread(thread);
    thread.join();
    isHeldNoLonger();
  }

  @Test
  void oneThatCouldNotBeSuspendedDoesNot() {
    Thread ended = Parked.ended();
    assertThatExceptionOfType(ThreadNotAliveException.class)
        .isThrownBy(() -> JvmTools.suspendThread(ended));
    assertThat(JvmTools.suspendThreadList(List.of(ended))).containsOnlyKeys(ended);
    isHeldNoLonger();
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Thread.resume does nothing any more")
  @SuppressWarnings({"deprecation", "removal"}) // The only other one who can resume.
  void oneThatSomebodyElseHasResumedDoesNot() {
    JvmTools.suspendThread(one.thread());
    isHeldByTheStaticDoor();
    one.thread().resume();
    one.runs();
    canBeHadByAnother();
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_17, disabledReason = "Thread.resume does nothing any more")
  @SuppressWarnings({"deprecation", "removal"}) // The only other one who can resume.
  void norDoesOneThatHasEnded() {
    JvmTools.suspendThread(one.thread());
    isHeldByTheStaticDoor();
    one.thread().resume();
    one.close();
    canBeHadByAnother();
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void norAVirtualOneThatWasResumedWithAllOthers() {
    try (Counting virtual = Counting.virtual()) {
      JvmTools.suspendThread(virtual.thread());
      isHeldByTheStaticDoor();
      JvmTools.resumeAllVirtualThreads();
      virtual.runs();
    }
    canBeHadByAnother();
  }

  private static void isHeldByTheStaticDoor() {
    assertThat(JvmTools.capabilities().held()).contains(CAN_SUSPEND);
    assertThatExceptionOfType(MissingCapabilityException.class)
        .isThrownBy(() -> Jvmti.open(CAN_SUSPEND))
        .satisfies(e -> assertThat(e.capability()).isEqualTo(CAN_SUSPEND))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.HELD_BY_ANOTHER_ENVIRONMENT));
  }

  private static void isHeldNoLonger() {
    assertThat(JvmTools.capabilities().held()).doesNotContain(CAN_SUSPEND);
    canBeHadByAnother();
  }
}
