package io.jvmtools.event;

/** What the amounts of a profile are. */
public enum ProfileUnit {
  /** There are none: only how often it happened. */
  NOTHING,
  /** How large what was allocated is. */
  BYTES,
  /** How long a thread has waited. */
  NANOSECONDS
}
