package io.jvmtools.internal.environment;

import static java.util.stream.Collectors.joining;

import io.jvmtools.Capability;
import io.jvmtools.MissingCapabilityException.Reason;
import java.util.Collection;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What the JVM says about the capabilities of an environment, as masks with one bit a capability.
 *
 * @param held what the environment holds
 * @param potential what it holds or could hold now
 * @param atStart what could be had when the JVM started; 0 if the agent was not there
 * @param prepared what was made obtainable for good then, as far as it could be had
 * @param feature the feature release of the JVM
 */
public record CapabilityMasks(long held, long potential, long atStart, long prepared, int feature) {

  /**
   * Asks the JVM.
   *
   * @param env the environment
   * @return its masks
   */
  public static CapabilityMasks read(long env) {
    return new CapabilityMasks(
        CapabilitiesNatives.getCapabilities(env),
        CapabilitiesNatives.getPotentialCapabilities(env),
        CapabilitiesNatives.potentialAtStart(),
        CapabilitiesNatives.preparedAtStart(),
        Runtime.version().feature());
  }

  /**
   * Why the environment does not hold a capability.
   *
   * @param capability the capability
   * @return the reason, empty if the environment does hold it
   */
  public Optional<Reason> missing(Capability capability) {
    if (isIn(held, capability)) {
      return Optional.empty();
    }
    return Optional.of(reason(capability));
  }

  private Reason reason(Capability capability) {
    if (isIn(potential, capability)) {
      return Reason.NOT_REQUESTED;
    }
    if (capability.since() > feature) {
      return Reason.NEVER_ON_THIS_VM;
    }
    if (capability.onLoadOnly() && !isIn(prepared, capability)) {
      return Reason.NEEDS_AGENT_AT_START;
    }
    if (capability.solo()) {
      return Reason.HELD_BY_ANOTHER_ENVIRONMENT;
    }
    return isIn(atStart, capability) ? Reason.NEEDS_AGENT_AT_START : Reason.NEVER_ON_THIS_VM;
  }

  /**
   * What to do about a missing capability.
   *
   * @param capability the capability
   * @param alike itself, and what else was wanted and is missing for the same reason
   * @param reason why it is missing
   * @param startOption what starts a JVM with the agent and some options, if the remedy needs it
   * @return a text that begins with the capability's name
   */
  public String remedy(
      Capability capability,
      Collection<Capability> alike,
      Reason reason,
      UnaryOperator<String> startOption) {
    return switch (reason) {
      case NOT_REQUESTED ->
          capability
              + " is free, but this environment did not ask for it: open one with Jvmti.open("
              + capability
              + "), or call add("
              + capability
              + ") on your own Jvmti";
      case NEEDS_AGENT_AT_START -> startRemedy(alike, startOption);
      case HELD_BY_ANOTHER_ENVIRONMENT ->
          capability
              + " is held by another environment, and only one can hold it at a time: close the"
              + " other Jvmti (a forgotten one is closed after a collection), "
              + (capability == Capability.CAN_SUSPEND
                  ? "resume what JvmTools keeps suspended, "
                  : "")
              + "or, if a debugger or profiler holds it, detach that";
      case NEVER_ON_THIS_VM ->
          capability
              + " is not offered by this JVM ("
              + System.getProperty("java.vm.name")
              + " "
              + Runtime.version()
              + (capability.since() > feature ? "): it came with JDK " + capability.since() : ")");
    };
  }

  private String startRemedy(
      Collection<Capability> capabilities, UnaryOperator<String> startOption) {
    String names = capabilities.stream().map(Capability::name).collect(joining(" and "));
    String toPrepare =
        capabilities.stream()
            .filter(capability -> capability.costly() || startedWithAgent())
            .map(Capability::cName)
            .collect(joining("+"));
    String groups =
        capabilities.stream()
            .flatMap(capability -> capability.prepareGroup().stream())
            .distinct()
            .collect(joining("+"));
    return names
        + " can be obtained only when the JVM starts with the agent"
        + (startedWithAgent() ? " and prepares " + (capabilities.size() == 1 ? "it" : "them") : "")
        + (groups.isEmpty() ? "" : " (prepare=" + groups + " is for all that such tools need)")
        + ": add "
        + startOption.apply(toPrepare.isEmpty() ? "" : "=prepare=" + toPrepare);
  }

  private boolean startedWithAgent() {
    return atStart != 0;
  }

  /** The constants are in the order of their bits, which a test holds them to. */
  @SuppressWarnings("EnumOrdinal")
  static boolean isIn(long mask, Capability capability) {
    return (mask & 1L << capability.ordinal()) != 0;
  }
}
