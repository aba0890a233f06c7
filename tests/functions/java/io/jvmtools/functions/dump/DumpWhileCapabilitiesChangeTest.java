package io.jvmtools.functions.dump;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.functions.UnderTheAgentTest;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A dump goes on without the capability to suspend if another thread gives it up meanwhile. */
@Tag(UnderTheAgentTest.ONCE)
class DumpWhileCapabilitiesChangeTest {

  private static final int DUMPS = 2_000;

  @Test
  void itIsThereAllTheSame() throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (Jvmti jvmti = Jvmti.open()) {
      Thread changing = new Thread(() -> change(jvmti, over), "changing");
      changing.setUncaughtExceptionHandler((thread, thrown) -> failure.set(thrown));
      changing.start();
      try {
        for (int i = 0; i < DUMPS; i++) {
          assertThat(jvmti.dumps().take().threads()).isNotEmpty();
        }
      } finally {
        over.set(true);
        changing.join();
      }
    }
    assertThat(failure.get()).isNull();
  }

  private static void change(Jvmti jvmti, AtomicBoolean over) {
    while (!over.get()) {
      jvmti.add(CAN_SUSPEND);
      try {
        jvmti.relinquish(CAN_SUSPEND);
      } catch (IllegalStateException keepsSuspended) {
        // The dump is about to need it.
      }
    }
  }
}
