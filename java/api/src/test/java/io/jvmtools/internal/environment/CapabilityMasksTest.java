package io.jvmtools.internal.environment;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.MissingCapabilityException.Reason;
import java.util.List;
import org.junit.jupiter.api.Test;

class CapabilityMasksTest {

  private static final CapabilityMasks LOADED_LATER = new CapabilityMasks(0, 0, 0, 0, 17);
  private static final CapabilityMasks AT_START = new CapabilityMasks(0, 0, -1, 0, 17);

  @Test
  void theRemedyForTheStartIsTheWholeOption() {
    assertThat(remedy(LOADED_LATER, Capability.CAN_GET_OWNED_MONITOR_INFO))
        .isEqualTo(
            "CAN_GET_OWNED_MONITOR_INFO can be obtained only when the JVM starts with the agent:"
                + " add -agentpath:/x/libjvmtools.so");
  }

  @Test
  void aCostlyCapabilityIsPreparedByName() {
    assertThat(remedy(LOADED_LATER, Capability.CAN_GENERATE_EXCEPTION_EVENTS))
        .endsWith("-agentpath:/x/libjvmtools.so=prepare=can_generate_exception_events")
        .contains("starts with the agent (prepare=debugging is for all that such tools need): ");
    assertThat(remedy(AT_START, Capability.CAN_GENERATE_EXCEPTION_EVENTS))
        .endsWith("-agentpath:/x/libjvmtools.so=prepare=can_generate_exception_events");
  }

  @Test
  void theRemedyForARequestIsTheCall() {
    CapabilityMasks free = new CapabilityMasks(0, 1, 0, 0, 17);

    assertThat(remedy(free, Capability.CAN_TAG_OBJECTS))
        .contains("Jvmti.open(CAN_TAG_OBJECTS)", "add(CAN_TAG_OBJECTS)");
  }

  @Test
  void theRemedyForASoloCapabilityNamesTheDebugger() {
    assertThat(remedy(LOADED_LATER, Capability.CAN_SUSPEND)).contains("debugger");
  }

  @Test
  void theRemedyForAnOldJvmIsANewerOne() {
    assertThat(remedy(LOADED_LATER, Capability.CAN_SUPPORT_VIRTUAL_THREADS))
        .endsWith("it came with JDK 21");
  }

  private static String remedy(CapabilityMasks masks, Capability capability) {
    Reason reason = masks.missing(capability).orElseThrow();
    return masks.remedy(
        capability,
        List.of(capability),
        reason,
        options -> "-agentpath:/x/libjvmtools.so" + options);
  }
}
