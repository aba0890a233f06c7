package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.support.Counting;
import io.jvmtools.support.GcUntil;
import java.lang.ref.WeakReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What only one can hold, and one that is forgotten held: whoever asks can have it. */
class ForgottenHolderTest {

  @ParameterizedTest
  @EnumSource
  void nobodyHasToOpenAnotherOneFirst(WayIn way) {
    way.of(Main.class).run().succeeds();
  }

  static final class Main {

    /** The steward takes it back; whoever is told waits for him, however late he is. */
    private static final int ROUNDS = 50;

    public static void main(String[] args) {
      Counting worker = Counting.platform();
      Jvmti asks = Jvmti.open();
      Jvmti adds = Jvmti.open();
      for (int round = 0; round < ROUNDS; round++) {
        GcUntil.cleared(new WeakReference<>(Jvmti.open(CAN_SUSPEND)));
        assertThat(asks.capabilities().obtainable()).as("round " + round).contains(CAN_SUSPEND);
      }
      GcUntil.cleared(new WeakReference<>(Jvmti.open(CAN_SUSPEND)));
      JvmTools.suspendThread(worker.thread());
      JvmTools.resumeThread(worker.thread());
      GcUntil.cleared(new WeakReference<>(Jvmti.open(CAN_SUSPEND)));
      adds.add(CAN_SUSPEND);
    }
  }
}
