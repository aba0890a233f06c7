package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Parked;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that end while something is kept for them. */
class EndingThreadsTest {

  @ParameterizedTest
  @EnumSource
  void localStorageSurvivesThreadsThatEnd(WayIn way) {
    way.of(LocalStorage.class).run().succeeds();
  }

  /** HotSpot crashes within some ten thousand threads when its own storage is asked like this. */
  static final class LocalStorage {

    private static final int MANY = 20_000;

    private static volatile Thread latest = Thread.currentThread();
    private static volatile boolean over;

    public static void main(String[] args) throws Exception {
      AtomicLong answered = new AtomicLong();
      AtOnce.run(
          3,
          number -> {
            if (number == 0) {
              startMany();
            } else {
              while (!over) {
                visit(answered);
              }
            }
          });
      assertThat(answered).hasPositiveValue();
    }

    private static void startMany() {
      for (int i = 0; i < MANY; i++) {
        Thread thread = new Thread(() -> {});
        latest = thread;
        thread.start();
      }
      over = true;
    }

    private static void visit(AtomicLong answered) {
      try {
        JvmTools.setThreadLocalStorage(latest, 1);
        JvmTools.getThreadLocalStorage(latest);
        answered.incrementAndGet();
      } catch (ThreadNotAliveException beforeOrAfter) {
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
