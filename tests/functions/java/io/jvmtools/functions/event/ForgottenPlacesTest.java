package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.snapshot.SnapshotPoint;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.LibraryCopy;
import java.lang.ref.WeakReference;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Applications that had places and snapshots, have closed them, and go. */
@DisabledIfSystemProperty(
    named = UnderTheAgentTest.INSIDE,
    matches = "true",
    disabledReason = "it starts a JVM of its own")
class ForgottenPlacesTest {

  @Test
  void theirClassLoadersGoToo() {
    ChildJvm.of(Program.class).agent("prepare=debugging").run().succeeds();
  }

  /** What the child runs. */
  static final class Program {

    private Program() {}

    public static void main(String[] args) {
      WeakReference<?>[] copies = new WeakReference<?>[3];
      for (int i = 0; i < copies.length; i++) {
        copies[i] = used();
      }
      GcUntil.cleared(copies);
    }

    private static WeakReference<?> used() {
      LibraryCopy copy = new LibraryCopy();
      assertThat(copy.call(Application.class)).isEqualTo(2);
      return new WeakReference<>(copy);
    }
  }

  /** In a copy of its own. */
  static final class Application implements Callable<Integer> {

    private static int passed;

    private static void pass() {
      passed++;
    }

    @Override
    public Integer call() {
      AtomicInteger told = new AtomicInteger();
      String name = Application.class.getName();
      try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_ACCESS_LOCAL_VARIABLES);
          PlaceSubscription place =
              jvmti.events().at(CodePlace.entry(name, "pass"), frame -> told.incrementAndGet());
          SnapshotPoint point =
              jvmti.snapshots().at(name, "pass").forEach(snapshot -> told.incrementAndGet())) {
        pass();
        point.flush();
        assertThat(place.breakpoints()).isNotEmpty().isEqualTo(point.breakpoints());
      }
      return told.get();
    }
  }
}
