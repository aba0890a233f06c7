package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GET_BYTECODES;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.StalledException;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.thread.SuspensionNatives;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Installation;
import io.jvmtools.support.JniCalls;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.system.JniCallCounter;
import io.jvmtools.system.JniFunction;
import io.jvmtools.thread.Threads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What another tool keeps our threads from doing is owed, and not lost. */
@OneJdkADay
class StalledDeedsTest {

  private static final Duration LONG = Duration.ofMinutes(5);

  @BeforeEach
  void canStopThem() {
    assumeTrue(Installation.feature() < 20, "from 20 on Thread.suspend() does nothing");
  }

  @ParameterizedTest
  @EnumSource
  void whoIsResumedRunsThoughTheCapabilityIsOwed(WayIn way) {
    way.of(Resume.class).run().succeeds();
  }

  static final class Resume {
    public static void main(String[] args) throws Exception {
      try (Counting worker = Counting.platform()) {
        JvmTools.suspendThread(worker.thread());
        call("suspend", "steward");
        JvmTools.resumeThread(worker.thread());
        worker.runs();
        call("resume", "steward");
      }
      Jvmti.open(CAN_SUSPEND).close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsClosedMeanwhileIsClosedLater(WayIn way) {
    way.of(Close.class).run().succeeds();
  }

  static final class Close {
    public static void main(String[] args) throws Exception {
      Counting worker = Counting.platform();
      Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
      Thread acts = new Thread(() -> act(jvmti, worker.thread()), "acts");
      acts.setDaemon(true);
      acts.start();
      Eventually.isTrue(
          "it is suspended", () -> JvmTools.getThreadState(worker.thread()).isSuspended());
      Jvmti other = Jvmti.open();
      call("suspend", "watchdog");
      jvmti.close();
      // The steward has tried in vain by then: he does one deed after the other.
      other.add(CAN_TAG_OBJECTS);
      call("resume", "watchdog");
      worker.runs();
      Eventually.isTrue(
          "its capability is free", () -> other.capabilities().obtainable().contains(CAN_SUSPEND));
    }

    private static void act(Jvmti jvmti, Thread thread) {
      jvmti
          .threads()
          .withSuspended(
              thread,
              LONG,
              () -> {
                while (true) {
                  LockSupport.park();
                }
              });
    }
  }

  @Test
  void whoWantsWhatIsStillBeingClosedWaitsForIt() {
    ChildJvm.of(Wanted.class).run().succeeds();
  }

  static final class Wanted {
    public static void main(String[] args) throws Exception {
      Counting worker = Counting.platform();
      Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
      Thread acts = new Thread(() -> Close.act(jvmti, worker.thread()), "acts");
      acts.setDaemon(true);
      acts.start();
      Eventually.isTrue(
          "it is suspended", () -> JvmTools.getThreadState(worker.thread()).isSuspended());
      Jvmti other = Jvmti.open(CAN_TAG_OBJECTS);
      call("suspend", "watchdog");
      jvmti.close();
      FutureTask<Void> wants = new FutureTask<>(() -> other.add(CAN_SUSPEND), null);
      Thread asks = new Thread(wants, "asks");
      asks.start();
      Eventually.isTrue(
          "it has asked",
          () ->
              wants.isDone() || Arrays.toString(asks.getStackTrace()).contains("addCapabilities("));
      // The steward has answered it by then: he does one deed after the other.
      Jvmti.open(CAN_GET_BYTECODES).close();
      call("resume", "watchdog");
      assertThatCode(wants::get)
          .as("what a closed environment has not given back yet is waited for")
          .doesNotThrowAnyException();
      assertThat(other.capabilities().held()).contains(CAN_SUSPEND);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoWaitsForThoseHeHadSuspendedWaitsForSeconds(WayIn way) {
    way.of(End.class).run().succeeds();
  }

  static final class End {
    public static void main(String[] args) throws Exception {
      try (Counting worker = Counting.platform();
          Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        assertThatExceptionOfType(StalledException.class)
            .isThrownBy(
                () -> jvmti.threads().withSuspended(worker.thread(), LONG, End::stopTheWatchdog))
            .withMessageContaining("jvmtools-watchdog");
        call("resume", "watchdog");
        worker.runs();
      }
    }

    private static Void stopTheWatchdog() {
      try {
        call("suspend", "watchdog");
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
      return null;
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsSuspendedForAThreadThatStandsStill(WayIn way) {
    way.of(StandsStill.class).run().succeeds();
  }

  static final class StandsStill {
    public static void main(String[] args) throws Exception {
      try (Counting worker = Counting.platform();
          Counting other = Counting.platform();
          Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        Threads threads = jvmti.threads();
        threads.suspend(other.thread());
        threads.resume(other.thread());
        call("suspend", "steward");
        Thread asks = new Thread(() -> threads.suspend(worker.thread()), "asks");
        asks.setDaemon(true);
        asks.start();
        awaitRest(asks);
        Thread.class.getMethod("suspend").invoke(asks);
        call("resume", "steward");
        // He does one deed after the other.
        threads.withSuspended(other.thread(), LONG, () -> null);
        assertThat(threads.state(worker.thread()).isSuspended()).isFalse();
        Thread.class.getMethod("resume").invoke(asks);
        asks.join();
        assertThat(threads.state(worker.thread()).isSuspended()).isTrue();
        threads.resume(worker.thread());
      }
    }

    /** Until it does nothing any more inside the library. */
    private static void awaitRest(Thread thread) {
      ThreadMXBean bean = ManagementFactory.getThreadMXBean();
      Eventually.isTrue(
          "it has asked", () -> Arrays.toString(thread.getStackTrace()).contains("suspendThread("));
      long[] times = {-1, 0};
      Eventually.isTrue(
          "it waits",
          () -> {
            times[0] = times[1];
            times[1] = bean.getThreadCpuTime(thread.getId());
            return times[0] == times[1];
          });
    }
  }

  /**
   * What a name means is told by the supertypes of the value, and not by a list that the steward
   * makes.
   */
  @Test
  void whoWritesItsOwnVariablesNeedsNobody() {
    ChildJvm.of(Write.class).agent("prepare=debugging").run().succeeds();
  }

  static final class Write {
    public static void main(String[] args) throws Exception {
      try (Jvmti jvmti = Jvmti.open(CAN_ACCESS_LOCAL_VARIABLES)) {
        call("suspend", "steward");
        X500Principal principal = new X500Principal("CN=a");
        Write write = new Write();
        assertThat(written(jvmti, write, principal)).containsExactly(write, principal);
        call("resume", "steward");
      }
    }

    private static List<Object> written(Jvmti jvmti, Write one, X500Principal two) {
      Write own = null;
      X500Principal ofTheJdk = null;
      assertThat(X500Principal.class).isEqualTo(two.getClass());
      StackFrame here = jvmti.frames().stackTrace(Thread.currentThread()).get(0);
      jvmti.locals().set(here, "own", one);
      jvmti.locals().set(here, "ofTheJdk", two);
      return Arrays.asList(own, ofTheJdk);
    }
  }

  @ParameterizedTest
  @EnumSource
  void jniCallsAreCountedNoMoreWhenItIsDone(WayIn way) {
    way.of(Count.class).run().succeeds();
  }

  static final class Count {

    private static final int SLOT_OF_GET_VERSION = 4;

    public static void main(String[] args) throws Exception {
      long original = JniCalls.function(SLOT_OF_GET_VERSION);
      JniCallCounter counter = JvmTools.countJniCalls(JniFunction.GET_VERSION);
      // So that he is known.
      SuspensionNatives.ownThreads(GeneralNatives.metadata());
      call("suspend", "steward");
      JniCalls.getVersion(1);
      counter.close();
      assertThat(counter.calls(JniFunction.GET_VERSION)).isEqualTo(1);
      assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isNotEqualTo(original);
      assertThatExceptionOfType(StalledException.class)
          .isThrownBy(() -> JvmTools.countJniCalls(JniFunction.GET_VERSION));
      call("resume", "steward");
      Eventually.isTrue(
          "the function is back", () -> JniCalls.function(SLOT_OF_GET_VERSION) == original);
    }
  }

  /** He is in the middle of it when nobody waits any more. */
  @ParameterizedTest
  @ValueSource(strings = {"add", "borrow", "count"})
  void whatTheStewardDoesTooLateIsUndone(String what) {
    ChildJvm.of(Late.class).args(what).run().succeeds();
  }

  static final class Late {

    public static void main(String[] args) throws Exception {
      long original = JniCalls.function(Count.SLOT_OF_GET_VERSION);
      try (Counting worker = Counting.platform();
          Jvmti jvmti = Jvmti.open(CAN_GET_BYTECODES);
          Jvmti other = Jvmti.open(CAN_GET_BYTECODES)) {
        // So that he is known, and the environment of the static methods is there.
        JvmTools.suspendThread(worker.thread());
        JvmTools.resumeThread(worker.thread());
        Jvmti.open(CAN_SUSPEND).close();
        call("suspend", "steward");
        assertThatExceptionOfType(StalledException.class)
            .isThrownBy(() -> ask(args[0], jvmti, worker.thread()))
            .withMessageContaining("jvmtools-steward");
        call("resume", "steward");
        // He does one deed after the other.
        other.add(CAN_TAG_OBJECTS);
        assertThat(jvmti.capabilities().held()).doesNotContain(CAN_SUSPEND);
        Jvmti.open(CAN_SUSPEND).close();
        Eventually.isTrue(
            "the function is the JVM's own",
            () -> JniCalls.function(Count.SLOT_OF_GET_VERSION) == original);
        worker.runs();
      }
    }

    private static void ask(String what, Jvmti jvmti, Thread thread) {
      switch (what) {
        case "add" -> jvmti.add(CAN_SUSPEND);
        case "borrow" -> JvmTools.suspendThread(thread);
        default -> JvmTools.countJniCalls(JniFunction.GET_VERSION);
      }
    }
  }

  private static void call(String method, String name) throws ReflectiveOperationException {
    for (Thread own : SuspensionNatives.ownThreads(GeneralNatives.metadata())) {
      if (own.getName().endsWith(name)) {
        Thread.class.getMethod(method).invoke(own);
      }
    }
  }
}
