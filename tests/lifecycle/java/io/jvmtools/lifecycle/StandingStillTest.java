package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.thread.Threads;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A thread that stands still anywhere inside the library keeps nobody else from using it. */
@OneJdkADay
class StandingStillTest {

  private static final int ROUNDS = 300;

  /** What the thread does that is suspended, and another that is not. */
  enum Work {
    SUSPENDS_BY_STATIC_DOOR(ROUNDS),
    /** Many of the rounds end by the deadline of a dump. */
    DUMPS_BY_STATIC_DOOR(10),
    OPENS_AND_CLOSES(ROUNDS);

    private final int rounds;

    Work(int rounds) {
      this.rounds = rounds;
    }

    boolean isOfStaticDoor() {
      return this != OPENS_AND_CLOSES;
    }

    void doOnce(Thread other) {
      switch (this) {
        case SUSPENDS_BY_STATIC_DOOR -> {
          JvmTools.suspendThread(other);
          JvmTools.resumeThread(other);
        }
        case DUMPS_BY_STATIC_DOOR -> JvmTools.threadDump();
        case OPENS_AND_CLOSES -> Jvmti.open(CAN_TAG_OBJECTS).close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everybodyElseGoesOn(Work work) {
    ChildJvm.of(EverybodyElse.class).args(work.name()).run().succeeds();
  }

  static final class EverybodyElse {
    public static void main(String[] args) {
      Work work = Work.valueOf(args[0]);
      try (Working stands = new Working(work::doOnce);
          Working goesOn = new Working(work::doOnce)) {
        if (work.isOfStaticDoor()) {
          suspendOften(work, stands, goesOn, JvmTools::suspendThreadList, JvmTools::resumeThread);
        } else {
          try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
            Threads threads = jvmti.threads();
            suspendOften(work, stands, goesOn, threads::suspend, threads::resume);
          }
        }
      }
    }

    private static void suspendOften(
        Work work,
        Working stands,
        Working goesOn,
        Function<List<Thread>, Map<Thread, JvmtiError>> suspend,
        Consumer<Thread> resume) {
      List<Thread> one = List.of(stands.thread());
      for (int round = 0; round < work.rounds; round++) {
        // A dump of the other thread may have it at this moment.
        Eventually.isTrue("it is suspended", () -> suspend.apply(one).isEmpty());
        goesOn.works();
        resume.accept(stands.thread());
      }
      stands.works();
    }
  }

  /** What the JDK locks whenever it is asked for a bean. */
  @ParameterizedTest
  @EnumSource
  void aDumpNeedsNoLockThatAnotherThreadStandsWith(WayIn way) {
    // What is compiled stops in few places.
    way.of(WithALock.class).jvmArgs("-Xint").run().succeeds();
  }

  static final class WithALock {
    public static void main(String[] args) {
      JvmTools.threadDump();
      try (Working asks = new Working(other -> ManagementFactory.getThreadMXBean())) {
        Thread thread = asks.thread();
        Eventually.isTrue(
            "it stands with the lock",
            () -> {
              asks.works();
              JvmTools.suspendThread(thread);
              boolean hasIt = isInTheMiddle(JvmTools.getStackTrace(thread));
              if (!hasIt) {
                JvmTools.resumeThread(thread);
              }
              return hasIt;
            });
        assertThat(JvmTools.threadDump().thread(thread)).isPresent();
        JvmTools.resumeThread(thread);
      }
    }

    /** In something that the method calls that has the lock. */
    private static boolean isInTheMiddle(List<StackFrame> trace) {
      return trace.stream().skip(1).anyMatch(frame -> frame.methodName().equals("nameToMBeanMap"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingReturnsWhereverAnotherThreadStands(WayIn way) {
    way.of(Close.class).run().succeeds();
  }

  static final class Close {
    public static void main(String[] args) {
      try (Jvmti changed = Jvmti.open();
          Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
          Working stands = new Working(other -> change(changed))) {
        for (int round = 0; round < ROUNDS; round++) {
          Jvmti closed = Jvmti.open(CAN_TAG_OBJECTS);
          stands.works();
          jvmti.threads().suspend(stands.thread());
          closed.close();
          jvmti.threads().resume(stands.thread());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void soDoesOpeningWhichSweepsWhatIsForgotten(WayIn way) {
    way.of(Sweep.class).run().succeeds();
  }

  static final class Sweep {

    private static final int COLLECTIONS = 50;

    public static void main(String[] args) {
      try (Jvmti changed = Jvmti.open();
          Jvmti jvmti = Jvmti.open(CAN_SUSPEND);
          Working stands = new Working(other -> change(changed))) {
        for (int round = 0; round < COLLECTIONS; round++) {
          GcUntil.cleared(new WeakReference<>(Jvmti.open(CAN_TAG_OBJECTS)));
          stands.works();
          jvmti.threads().suspend(stands.thread());
          Jvmti opened = Jvmti.open();
          jvmti.threads().resume(stands.thread());
          opened.close();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingWhatItChangesReturnsAndItIsGoneWhenTheThreadHasLeft(WayIn way) {
    way.of(CloseWhatItChanges.class).run().succeeds();
  }

  static final class CloseWhatItChanges {

    /** Closing waits for those who are inside, so few. */
    private static final int FEW = 10;

    public static void main(String[] args) {
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        for (int round = 0; round < FEW; round++) {
          Object owner = new Object();
          long closed = GeneralNatives.open(owner);
          try (Working stands = new Working(other -> changeUntilClosed(closed))) {
            jvmti.threads().suspend(stands.thread());
            GeneralNatives.close(closed);
            jvmti.threads().resume(stands.thread());
          }
          Eventually.isTrue("it is gone", () -> GeneralNatives.close(closed));
        }
        assertThat(Jvmti.open(CAN_TAG_OBJECTS).isOpen()).isTrue();
      }
    }

    private static void changeUntilClosed(long env) {
      try {
        CapabilitiesNatives.addCapabilities(env, 1);
        CapabilitiesNatives.relinquishCapabilities(env, 1);
      } catch (IllegalStateException closed) {
        assertThat(closed).hasMessageContaining("closed");
      }
    }
  }

  private static void change(Jvmti jvmti) {
    jvmti.add(CAN_TAG_OBJECTS);
    jvmti.relinquish(CAN_TAG_OBJECTS);
  }
}
