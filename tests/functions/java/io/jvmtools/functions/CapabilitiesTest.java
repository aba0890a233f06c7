package io.jvmtools.functions;

import static io.jvmtools.Capability.CAN_GET_BYTECODES;
import static io.jvmtools.Capability.CAN_SUPPORT_VIRTUAL_THREADS;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.Agent;
import io.jvmtools.AgentOrigin;
import io.jvmtools.Capabilities;
import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.support.Spec;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs with and without the agent; each expects what that JVM can have. */
@Tag(UnderTheAgentTest.ALWAYS)
class CapabilitiesTest {

  private static final boolean AT_START = Agent.origin() == AgentOrigin.AT_START;

  @ParameterizedTest
  @EnumSource
  void capabilityIsThatOfTheSpecification(Capability capability) {
    Map<String, String> row = row(capability);
    assertThat(capability.ordinal()).isEqualTo(Integer.parseInt(row.get("bit")));
    assertThat(capability.cName()).isEqualTo(row.get("name"));
    assertThat(capability.since()).isEqualTo(Integer.parseInt(row.get("since")));
    assertThat(capability.onLoadOnly()).isEqualTo(is(row, "on_load_only"));
    assertThat(capability.solo()).isEqualTo(is(row, "solo"));
    assertThat(capability.costly()).isEqualTo(!row.get("prepare").equals("-"));
    assertThat(capability.prepareGroup().orElse("-")).isEqualTo(row.get("prepare"));
  }

  @Test
  void theSpecificationHasNoOthers() {
    assertThat(Spec.rows("capabilities")).hasSameSizeAs(Capability.values());
  }

  @ParameterizedTest
  @EnumSource
  void capabilityIsObtainableAsTheSpecificationSays(Capability capability) {
    try (Jvmti jvmti = Jvmti.open()) {
      Optional<Reason> expected = Optional.of(expectedReason(capability));
      assertThat(jvmti.capabilities().missing(capability)).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @EnumSource
  void capabilityIsGrantedOrItsRemedyIsNamed(Capability capability) {
    try (Jvmti jvmti = Jvmti.open()) {
      switch (expectedReason(capability)) {
        case NOT_REQUESTED -> {
          jvmti.add(capability);
          assertThat(jvmti.capabilities().held()).containsExactly(capability);
          assertThat(jvmti.capabilities().missing(capability)).isEmpty();
          jvmti.relinquish(capability);
          assertThat(jvmti.capabilities().held()).isEmpty();
        }
        case NEEDS_AGENT_AT_START ->
            assertRefused(
                jvmti,
                capability,
                Reason.NEEDS_AGENT_AT_START,
                capability
                    + " can be obtained only when the JVM starts with the agent"
                    + (AT_START ? " and prepares it" : "")
                    + capability.prepareGroup().map(CapabilitiesTest::others).orElse("")
                    + ": add -agentpath:"
                    + Agent.libraryPath()
                    + (capability.costly() ? "=prepare=" + capability.cName() : ""));
        case NEVER_ON_THIS_VM ->
            assertRefused(
                jvmti,
                capability,
                Reason.NEVER_ON_THIS_VM,
                capability
                    + " is not offered by this JVM ("
                    + System.getProperty("java.vm.name")
                    + " "
                    + Runtime.version()
                    + "): it came with JDK "
                    + capability.since());
        default -> throw new AssertionError(capability);
      }
    }
  }

  private static String others(String group) {
    return " (prepare=" + group + " is for all that such tools need)";
  }

  /** GetCapabilities and GetPotentialCapabilities. */
  @Test
  void everyCapabilityIsInOneOfTheSets() {
    try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS);
        Jvmti other = Jvmti.open(CAN_SUSPEND)) {
      Capabilities now = jvmti.capabilities();
      List<Capability> all =
          List.of(now.held(), now.obtainable(), now.onlyAtStart(), now.heldByOther(), now.never())
              .stream()
              .flatMap(Set::stream)
              .toList();
      assertThat(all).containsExactlyInAnyOrder(Capability.values());
      assertThat(now.held()).containsExactly(CAN_TAG_OBJECTS);
      assertThat(now.heldByOther()).containsExactly(CAN_SUSPEND);
      assertThat(now.onlyAtStart()).isEqualTo(expected(Reason.NEEDS_AGENT_AT_START));
      assertThat(now.never()).isEqualTo(expected(Reason.NEVER_ON_THIS_VM));
      assertThat(other.capabilities().held()).containsExactly(CAN_SUSPEND);
    }
  }

  @Test
  void soloCapabilityOfAnotherEnvironmentNamesTheRemedy() {
    try (Jvmti first = Jvmti.open(CAN_SUSPEND);
        Jvmti second = Jvmti.open()) {
      assertRefused(
          second,
          CAN_SUSPEND,
          Reason.HELD_BY_ANOTHER_ENVIRONMENT,
          "CAN_SUSPEND is held by another environment, and only one can hold it at a time: close"
              + " the other Jvmti (a forgotten one is closed after a collection), resume what"
              + " JvmTools keeps suspended, or, if a debugger or profiler holds it, detach that");
      first.relinquish(CAN_SUSPEND);
      second.add(CAN_SUSPEND);
      assertThat(second.capabilities().held()).containsExactly(CAN_SUSPEND);
    }
    try (Jvmti third = Jvmti.open(CAN_SUSPEND)) {
      assertThat(third.capabilities().held()).containsExactly(CAN_SUSPEND);
    }
  }

  @Test
  void allOrNoneAreAdded() {
    try (Jvmti first = Jvmti.open(CAN_SUSPEND);
        Jvmti second = Jvmti.open(CAN_GET_BYTECODES)) {
      assertThatExceptionOfType(MissingCapabilityException.class)
          .isThrownBy(() -> second.add(CAN_TAG_OBJECTS, CAN_SUSPEND))
          .satisfies(e -> assertThat(e.capability()).isEqualTo(CAN_SUSPEND));
      assertThat(second.capabilities().held()).containsExactly(CAN_GET_BYTECODES);
      assertThat(first.capabilities().held()).containsExactly(CAN_SUSPEND);
    }
  }

  /** AddCapabilities and RelinquishCapabilities. */
  @Test
  void addingTwiceAndGivingBackWhatIsNotHeldDoNothing() {
    try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS)) {
      jvmti.add(CAN_TAG_OBJECTS, CAN_TAG_OBJECTS);
      jvmti.add();
      jvmti.relinquish(CAN_GET_BYTECODES);
      jvmti.relinquish();
      assertThat(jvmti.capabilities().held()).containsExactly(CAN_TAG_OBJECTS);
      jvmti.relinquish(CAN_TAG_OBJECTS);
      assertThat(jvmti.capabilities().held()).isEmpty();
    }
  }

  @Test
  void openTakesASetToo() {
    try (Jvmti jvmti = Jvmti.open(EnumSet.of(CAN_TAG_OBJECTS, CAN_GET_BYTECODES))) {
      assertThat(jvmti.capabilities().held()).containsExactly(CAN_TAG_OBJECTS, CAN_GET_BYTECODES);
    }
    try (Jvmti jvmti = Jvmti.open(Set.of())) {
      assertThat(jvmti.capabilities().held()).isEmpty();
    }
  }

  @Test
  void openThatFailsLeavesNothingBehind() {
    try (Jvmti first = Jvmti.open(CAN_SUSPEND)) {
      for (int i = 0; i < 100; i++) {
        assertThatExceptionOfType(MissingCapabilityException.class)
            .isThrownBy(
                () -> Jvmti.open(Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS, CAN_SUSPEND));
      }
      first.add(Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void virtualThreadsAreSupportedWhereTheyAre() {
    try (Jvmti jvmti = Jvmti.open(CAN_SUPPORT_VIRTUAL_THREADS)) {
      assertThat(jvmti.capabilities().held()).containsExactly(CAN_SUPPORT_VIRTUAL_THREADS);
    }
  }

  @Test
  void tablePrintsWithinAHundredColumns() {
    try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS);
        Jvmti other = Jvmti.open(CAN_SUSPEND)) {
      Capabilities now = jvmti.capabilities();
      List<String> lines = Traces.lines(now);
      assertThat(lines).allMatch(line -> line.length() <= 100 && line.equals(line.stripTrailing()));
      assertThat(lines.get(0)).isEqualTo("held (1)");
      assertThat(lines.get(1)).isEqualTo("  CAN_TAG_OBJECTS");
      assertThat(lines)
          .contains("obtainable now (" + now.obtainable().size() + ")")
          .contains(
              "only with -agentpath"
                  + (AT_START ? " and prepare=" : "")
                  + " ("
                  + now.onlyAtStart().size()
                  + ")")
          .contains("held by another environment (1)");
      assertThat(now.toString())
          .contains(List.of(Capability.values()).stream().map(Enum::name).toList());
      assertThat(other.isOpen()).isTrue();
    }
  }

  @Test
  void tableIsAValue() {
    try (Jvmti one = Jvmti.open(CAN_TAG_OBJECTS);
        Jvmti two = Jvmti.open(CAN_TAG_OBJECTS)) {
      Capabilities before = one.capabilities();
      assertThat(before).isEqualTo(two.capabilities()).hasSameHashCodeAs(two.capabilities());
      one.add(CAN_GET_BYTECODES);
      assertThat(before.held()).containsExactly(CAN_TAG_OBJECTS);
      assertThat(one.capabilities()).isNotEqualTo(before);
    }
  }

  @Test
  void staticDoorPrintsItsTable() {
    assertThat(JvmTools.capabilities().never()).isEqualTo(expected(Reason.NEVER_ON_THIS_VM));
    assertThat(JvmTools.capabilities().toString()).contains("obtainable now (");
  }

  private static void assertRefused(
      Jvmti jvmti, Capability capability, Reason reason, String remedy) {
    assertThatExceptionOfType(MissingCapabilityException.class)
        .isThrownBy(() -> jvmti.add(capability))
        .withMessageStartingWith("AddCapabilities: JVMTI_ERROR_NOT_AVAILABLE (98): " + remedy)
        .satisfies(
            e -> {
              assertThat(e.capability()).isEqualTo(capability);
              assertThat(e.reason()).isEqualTo(reason);
              assertThat(e.function()).isEqualTo("AddCapabilities");
              assertThat(e.code()).isEqualTo(98);
            });
    assertThatExceptionOfType(MissingCapabilityException.class)
        .isThrownBy(() -> Jvmti.open(capability))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(reason));
  }

  /** Why a fresh environment does not hold a capability, by spec/. */
  private static Reason expectedReason(Capability capability) {
    Map<String, String> row = row(capability);
    if (!Spec.isHere(row)) {
      return Reason.NEVER_ON_THIS_VM;
    }
    boolean prepared =
        AT_START && List.of("-", UnderTheAgentTest.PREPARED).contains(row.get("prepare"));
    return is(row, "on_load_only") && !prepared
        ? Reason.NEEDS_AGENT_AT_START
        : Reason.NOT_REQUESTED;
  }

  private static Set<Capability> expected(Reason reason) {
    return List.of(Capability.values()).stream()
        .filter(capability -> expectedReason(capability) == reason)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Capability.class)));
  }

  private static Map<String, String> row(Capability capability) {
    String name = capability.name().toLowerCase(Locale.ROOT);
    return Spec.rows("capabilities").stream()
        .filter(row -> row.get("name").equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static boolean is(Map<String, String> row, String column) {
    return row.get(column).equals("yes");
  }
}
