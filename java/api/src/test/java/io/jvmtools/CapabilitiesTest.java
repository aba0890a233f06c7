package io.jvmtools;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.internal.environment.CapabilityMasks;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class CapabilitiesTest {

  private static final long ALL = Capability.toBits(EnumSet.allOf(Capability.class));
  private static final long LIVE = bits(c -> !c.onLoadOnly());

  @Test
  void constantsAreInTheOrderOfTheirBits() {
    for (Capability capability : Capability.values()) {
      assertThat(capability.bit()).as(capability.name()).isEqualTo(capability.ordinal());
    }
  }

  @Test
  void everyCapabilityIsInExactlyOneSet() {
    for (Capabilities table : tables()) {
      List<Capability> listed = new ArrayList<>(table.held());
      listed.addAll(table.obtainable());
      listed.addAll(table.onlyAtStart());
      listed.addAll(table.heldByOther());
      listed.addAll(table.never());
      assertThat(listed).containsExactlyInAnyOrder(Capability.values());
    }
  }

  @Test
  void aLibraryLoadedLaterCannotGetWhatNeedsTheStart() {
    Capabilities table = table(0, LIVE, 0, 25);

    assertThat(table.onlyAtStart()).hasSize(18).allMatch(Capability::onLoadOnly);
    assertThat(table.obtainable()).hasSize(27).contains(Capability.CAN_SUSPEND);
    assertThat(table.missing(Capability.CAN_POP_FRAME)).contains(Reason.NEEDS_AGENT_AT_START);
  }

  @Test
  void anAgentAtTheStartLeavesOnlyTheCostlyOnesToItsOption() {
    long prepared = bits(c -> !c.costly());
    Capabilities table = table(0, prepared, ALL, 25);

    assertThat(table.onlyAtStart()).hasSize(10).allMatch(Capability::costly);
    assertThat(table.obtainable()).hasSize(35);
    assertThat(table.never()).isEmpty();
  }

  @Test
  void aSoloCapabilityThatIsGoneIsHeldByAnother() {
    long withoutSolo = bits(c -> !c.onLoadOnly() && !c.solo());
    assertThat(table(0, withoutSolo, 0, 25).heldByOther())
        .containsExactly(
            Capability.CAN_SUSPEND, Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS);

    long debuggerCameFirst = bits(c -> !c.solo() && !c.costly());
    assertThat(table(0, debuggerCameFirst, debuggerCameFirst, 25).heldByOther())
        .containsExactly(
            Capability.CAN_SUSPEND, Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS);
  }

  @Test
  void aSoloCapabilityThatNobodyPreparedIsNotHeldByAnother() {
    Capabilities table = table(0, bits(c -> !c.costly()), ALL, 25);

    assertThat(table.missing(Capability.CAN_GENERATE_BREAKPOINT_EVENTS))
        .contains(Reason.NEEDS_AGENT_AT_START);
  }

  @Test
  void whatTheJvmIsTooOldForIsNever() {
    long old = LIVE & ~Capability.toBits(EnumSet.of(Capability.CAN_SUPPORT_VIRTUAL_THREADS));

    assertThat(table(0, old, 0, 17).never())
        .containsExactly(Capability.CAN_SUPPORT_VIRTUAL_THREADS);
  }

  @Test
  void whatIsHeldIsNotMissing() {
    Capabilities table = table(1, LIVE, 0, 25);

    assertThat(table.held()).containsExactly(Capability.CAN_TAG_OBJECTS);
    assertThat(table.missing(Capability.CAN_TAG_OBJECTS)).isEmpty();
    assertThat(table.missing(Capability.CAN_SUSPEND)).contains(Reason.NOT_REQUESTED);
  }

  @Test
  void printsATableThatFitsOneHundredColumns() {
    assertThat(table(ALL, ALL, ALL, 25).toString().lines())
        .first()
        .isEqualTo("held (" + Capability.values().length + ")");
    for (Capabilities table : tables()) {
      assertThat(table.toString().lines()).allMatch(line -> line.length() <= 100);
    }
    assertThat(table(1, LIVE, 0, 25).toString().lines())
        .filteredOn(line -> !line.startsWith("  "))
        .containsExactly("held (1)", "obtainable now (26)", "only with -agentpath (18)");
  }

  private static List<Capabilities> tables() {
    return List.of(
        table(0, 0, 0, 17), table(1, LIVE, 0, 17), table(0, LIVE, ALL, 25), table(ALL, ALL, 0, 25));
  }

  private static Capabilities table(long held, long potential, long atStart, int feature) {
    long prepared = atStart == 0 ? 0 : bits(c -> !c.costly());
    return new Capabilities(new CapabilityMasks(held, potential, atStart, prepared, feature));
  }

  private static long bits(Predicate<Capability> wanted) {
    EnumSet<Capability> set = EnumSet.allOf(Capability.class);
    set.removeIf(wanted.negate());
    return Capability.toBits(set);
  }
}
