package io.jvmtools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.environment.CapabilityMasks;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class DumpPartsTest {

  private static final long EVERYTHING = bits(Capability.values());

  /** What needs no capability. */
  private static final int FREE = Bridge.DUMP_AGES;

  @Test
  void whatIsHeldIsRead() {
    DumpParts parts = parts(Capability.values());
    assertThat(parts.bits()).isEqualTo(63 | FREE);
    assertThat(parts.unknown()).isEmpty();
    assertThat(parts.suspends()).isTrue();
  }

  @Test
  void eachCapabilityStandsForItsPart() {
    assertThat(parts().bits()).isEqualTo(FREE);
    assertThat(parts(Capability.CAN_SUSPEND).bits()).isEqualTo(Bridge.DUMP_SUSPEND | FREE);
    assertThat(parts(Capability.CAN_GET_THREAD_CPU_TIME).bits()).isEqualTo(Bridge.DUMP_CPU | FREE);
    assertThat(parts(Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO).bits())
        .isEqualTo(Bridge.DUMP_MONITORS | FREE);
    assertThat(parts(Capability.CAN_GET_CURRENT_CONTENDED_MONITOR).bits())
        .isEqualTo(Bridge.DUMP_CONTENDED | FREE);
    assertThat(parts(Capability.CAN_GET_MONITOR_INFO).bits()).isEqualTo(Bridge.DUMP_OWNERS | FREE);
    assertThat(parts(Capability.CAN_SUSPEND, Capability.CAN_ACCESS_LOCAL_VARIABLES).bits())
        .isEqualTo(Bridge.DUMP_SUSPEND | Bridge.DUMP_LOCALS | FREE);
  }

  @Test
  void whatIsMissingIsNamedWithItsRemedy() {
    assertThat(parts().unknown())
        .hasSize(5)
        .allMatch(line -> line.contains(" is free, but this environment did not ask for it"))
        .anyMatch(line -> line.startsWith("processor times: CAN_GET_THREAD_CPU_TIME is free"));
    assertThat(new DumpParts(0, List.of()).suspends()).isFalse();
    CapabilityMasks late = new CapabilityMasks(0, 0, 0, 0, 21);
    assertThat(
            DumpParts.of(
                    DumpOptions.defaults(), late, options -> "-agentpath:/x/lib.so" + options, null)
                .unknown())
        .anyMatch(line -> line.endsWith("add -agentpath:/x/lib.so"))
        .anyMatch(line -> line.contains("CAN_SUSPEND is held by another environment"));
  }

  @Test
  void deadlocksThatAreFoundInAnotherWayAreNotMissed() {
    assertThat(parts().unknown()).anyMatch(line -> line.contains("deadlocks"));
    assertThat(parts().unknownButDeadlocks())
        .hasSameSizeAs(parts().unknown())
        .noneMatch(line -> line.contains("deadlocks"))
        .anyMatch(line -> line.startsWith("owned monitors: CAN_GET_OWNED_MONITOR_STACK_DEPTH"));
  }

  @Test
  void whatIsNotLentIsLeftToThoseWhoHaveIt() {
    CapabilityMasks lentToOthers =
        new CapabilityMasks(bits(Capability.CAN_SUSPEND), EVERYTHING, EVERYTHING, EVERYTHING, 25);
    DumpParts parts =
        DumpParts.of(
            DumpOptions.defaults(), lentToOthers, options -> "nowhere", "another one has it");
    assertThat(parts.suspends()).isFalse();
    assertThat(parts.unknown())
        .contains("locks and times at the moment of the stacks: another one has it");
  }

  @Test
  void whatIsGivenUpIsReadNoMore() {
    DumpParts all = parts(Capability.values());
    DumpParts less = all.without(Capability.CAN_GET_CURRENT_CONTENDED_MONITOR, "gone");
    assertThat(less.bits()).isEqualTo(all.bits() & ~Bridge.DUMP_CONTENDED);
    assertThat(less.unknown())
        .containsExactly("monitors that are waited for, and deadlocks over them: gone");
    assertThat(less.without(Capability.CAN_GET_CURRENT_CONTENDED_MONITOR, "gone")).isEqualTo(less);
    assertThat(all.without(Capability.CAN_GET_MONITOR_INFO, "gone").bits())
        .isEqualTo(all.bits() & ~Bridge.DUMP_OWNERS);
  }

  @Test
  void localsAreReadOnlyWhereThreadsStandStill() {
    DumpParts parts = parts(Capability.CAN_ACCESS_LOCAL_VARIABLES);
    assertThat(parts.bits()).isEqualTo(FREE);
    assertThat(parts.unknown())
        .contains("local variables: they are read only while all threads stand still");
  }

  @Test
  void whenTimeIsUpTheRestIsReadWhileThreadsGoOn() {
    DumpParts parts = parts(Capability.values()).withoutSuspension("it took too long");
    assertThat(parts.bits())
        .isEqualTo(
            Bridge.DUMP_CPU
                | Bridge.DUMP_MONITORS
                | Bridge.DUMP_CONTENDED
                | Bridge.DUMP_OWNERS
                | FREE);
    assertThat(parts.suspends()).isFalse();
    assertThat(parts.unknown())
        .containsExactly(
            "locks and times at the moment of the stacks: it took too long",
            "local variables: it took too long");
  }

  private static DumpParts parts(Capability... held) {
    return DumpParts.of(
        DumpOptions.defaults(),
        new CapabilityMasks(bits(held), EVERYTHING, EVERYTHING, EVERYTHING, 25),
        options -> "nowhere",
        null);
  }

  private static long bits(Capability... capabilities) {
    return Arrays.stream(capabilities).mapToLong(capability -> 1L << capability.ordinal()).sum();
  }
}
