package io.jvmtools;

import static java.util.Objects.requireNonNull;

/**
 * The function needs a capability that the environment does not hold.
 *
 * <p>{@link #reason()} says why it does not, and the message says what to do about it.
 */
public final class MissingCapabilityException extends JvmtiException {

  private static final long serialVersionUID = 1L;

  /** Why an environment does not hold a capability. */
  public enum Reason {
    /** It can be had at once, but nobody asked for it: see {@link Jvmti#add(Capability...)}. */
    NOT_REQUESTED,
    /** It can be had only in a JVM that was started with the agent, by {@code -agentpath}. */
    NEEDS_AGENT_AT_START,
    /** Only one environment can hold it at a time, and another one does: a debugger, perhaps. */
    HELD_BY_ANOTHER_ENVIRONMENT,
    /** This JVM does not have it at all. */
    NEVER_ON_THIS_VM
  }

  /** What is missing. */
  private final Capability capability;

  /** Why it is missing. */
  private final Reason reason;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param function the JVM TI function
   * @param error what it answered
   * @param capability what is missing
   * @param reason why it is missing
   * @param explanation what that means here and what helps; may be empty
   */
  public MissingCapabilityException(
      String function, JvmtiError error, Capability capability, Reason reason, String explanation) {
    super(function, error, explanation);
    this.capability = requireNonNull(capability, "capability");
    this.reason = requireNonNull(reason, "reason");
  }

  /**
   * The capability that is missing.
   *
   * @return the first one, if several are
   */
  public Capability capability() {
    return capability;
  }

  /**
   * Why the environment does not hold it.
   *
   * @return the reason; the message names its remedy
   */
  public Reason reason() {
    return reason;
  }
}
