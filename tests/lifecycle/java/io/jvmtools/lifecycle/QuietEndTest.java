package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GENERATE_GARBAGE_COLLECTION_EVENTS;
import static io.jvmtools.Capability.CAN_SUSPEND;

import io.jvmtools.Jvmti;
import io.jvmtools.event.EventTypes;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The JVM ends 0.3 seconds later if a thread is in native code then. So those of the library, which
 * wait there for something to do, wait in the JVM once it is about to end.
 */
class QuietEndTest {

  @ParameterizedTest
  @EnumSource
  void theThreadsOfTheLibraryAreNotInNativeCode(WayIn way) {
    way.of(Ends.class).run().succeeds().out().contains("all of them rest");
  }

  static final class Ends {

    private static final List<String> EXPECTED =
        List.of("jvmtools-steward", "jvmtools-watchdog", "jvmtools-events");

    public static void main(String[] args) {
      Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_GENERATE_GARBAGE_COLLECTION_EVENTS);
      jvmti.events().on(EventTypes.GARBAGE_COLLECTION_FINISH, event -> {});
      // Its thread has nothing to do, and ends, or may not.
      try (Jvmti second = Jvmti.open()) {
        second.events().on(EventTypes.DYNAMIC_CODE_GENERATED, event -> {});
      }
      Thread other = new Thread(LockSupport::park);
      other.setDaemon(true);
      other.start();
      jvmti.threads().withSuspended(other, Duration.ofMinutes(1), () -> null);
      List<Thread> ours = onceTheyAreThere();
      // It is told on the thread that ends the JVM, which waits here as long as one of them does
      // not.
      jvmti.events().on(EventTypes.VM_DEATH, event -> untilTheyRest(ours));
    }

    /** The one that tells begins to when it likes. */
    private static List<Thread> onceTheyAreThere() {
      while (true) {
        List<Thread> ours =
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("jvmtools-"))
                .toList();
        if (ours.stream().map(Thread::getName).toList().containsAll(EXPECTED)) {
          return ours;
        }
      }
    }

    private static void untilTheyRest(List<Thread> ours) {
      for (Thread one : ours) {
        while (one.isAlive() && one.getState() != Thread.State.TIMED_WAITING) {
          Thread.onSpinWait();
        }
      }
      System.out.println("all of them rest");
    }
  }
}
