package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;

import io.jvmtools.FrameUnavailableException;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.ThreadSuspendedException;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.support.Parked;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that end while something is kept for them. */
@OneJdkADay
class EndingThreadsTest {

  @Test
  void everyQuestionSurvivesThreadsThatEnd() {
    WayIn.AGENT.of(Questions.class).run().succeeds();
  }

  /** HotSpot 17 crashes within some thousand threads at a count, all at their local storage. */
  static final class Questions {

    private static final int MANY = 5_000;
    private static final List<Consumer<Thread>> QUESTIONS =
        List.of(
            Questions::store,
            JvmTools::getFrameCount,
            JvmTools::getThreadState,
            JvmTools::getThreadInfo,
            JvmTools::getStackTrace,
            thread -> JvmTools.getFrameLocation(thread, 0),
            JvmTools::getOwnedMonitorInfo,
            JvmTools::getOwnedMonitorStackDepthInfo,
            JvmTools::getCurrentContendedMonitor,
            JvmTools::getThreadCpuTimeNanos,
            JvmTools::interruptThread,
            Questions::suspendAndResume);

    private static volatile Thread latest = Thread.currentThread();
    private static volatile boolean over;

    public static void main(String[] args) throws Exception {
      for (Consumer<Thread> question : QUESTIONS) {
        try (Parked parked = Parked.inPark()) {
          question.accept(parked.thread());
        }
        over = false;
        AtOnce.run(
            3,
            number -> {
              if (number == 0) {
                startMany();
              } else {
                while (!over) {
                  ask(question);
                }
              }
            });
      }
    }

    private static void startMany() {
      for (int i = 0; i < MANY; i++) {
        Thread thread = new Thread(() -> {});
        latest = thread;
        thread.start();
      }
      over = true;
    }

    private static void store(Thread thread) {
      JvmTools.setThreadLocalStorage(thread, 1);
      JvmTools.getThreadLocalStorage(thread);
    }

    private static void suspendAndResume(Thread thread) {
      JvmTools.suspendThread(thread);
      JvmTools.resumeThread(thread);
    }

    private static void ask(Consumer<Thread> question) {
      try {
        question.accept(latest);
      } catch (ThreadNotAliveException
          | ThreadSuspendedException
          | ThreadNotSuspendedException
          | FrameUnavailableException beforeOrAfter) {
        // That is the answer to give.
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingKeepsThreadsThatHaveEnded(WayIn way) {
    way.of(Kept.class).run().succeeds();
  }

  static final class Kept {

    private static final int MANY = 100;

    public static void main(String[] args) {
      WeakReference<?>[] ended = new WeakReference<?>[MANY];
      for (int i = 0; i < MANY; i++) {
        ended[i] = suspendedAndResumedByClosing();
      }
      GcUntil.cleared(ended);
    }

    private static WeakReference<Thread> suspendedAndResumedByClosing() {
      Parked parked = Parked.inPark();
      JvmTools.setThreadLocalStorage(parked.thread(), 1);
      try (parked) {
        try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
          jvmti.threads().suspend(parked.thread());
        }
        return new WeakReference<>(parked.thread());
      }
    }
  }
}
