package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.support.Child;
import io.jvmtools.support.ChildJvm;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Capabilities that one environment at a time can hold. */
class SoloCapabilitiesTest {

  @Test
  void concurrentChangesLoseNone() {
    ChildJvm.of(ConcurrentChanges.class).agent("prepare=debugging").run().succeeds();
  }

  static final class ConcurrentChanges {

    private static final int PAIRS = 100_000;

    public static void main(String[] args) throws Exception {
      ExecutorService two = Child.newDaemonPool(2);
      Future<?> first = two.submit(() -> addAndRelinquish(CAN_SUSPEND));
      Future<?> second = two.submit(() -> addAndRelinquish(CAN_GENERATE_BREAKPOINT_EVENTS));
      first.get();
      second.get();
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_GENERATE_BREAKPOINT_EVENTS)) {
        assertThat(jvmti.capabilities().held())
            .containsExactlyInAnyOrder(CAN_SUSPEND, CAN_GENERATE_BREAKPOINT_EVENTS);
      }
    }

    private static void addAndRelinquish(Capability capability) {
      try (Jvmti jvmti = Jvmti.open()) {
        for (int i = 0; i < PAIRS; i++) {
          jvmti.add(capability);
          jvmti.relinquish(capability);
        }
      }
    }
  }

  @Test
  void oneEnvironmentAtATimeHoldsIt() {
    ChildJvm.of(OneAtATime.class).agent("").run().succeeds();
  }

  static final class OneAtATime {
    public static void main(String[] args) {
      try (Jvmti other = Jvmti.open()) {
        Jvmti holder = Jvmti.open(CAN_SUSPEND);
        assertThat(other.capabilities().heldByOther()).containsExactly(CAN_SUSPEND);
        MissingCapabilityException missing =
            catchThrowableOfType(MissingCapabilityException.class, () -> other.add(CAN_SUSPEND));
        assertThat(missing.capability()).isEqualTo(CAN_SUSPEND);
        assertThat(missing.reason()).isEqualTo(Reason.HELD_BY_ANOTHER_ENVIRONMENT);
        holder.close();
        other.add(CAN_SUSPEND);
      }
    }
  }
}
