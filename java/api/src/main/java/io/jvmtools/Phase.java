package io.jvmtools;

/**
 * How far the JVM has come in its life. Java code runs only in the {@link #LIVE} phase, so a Java
 * caller sees another one only at the very edges.
 */
public enum Phase {
  /** The agent starts, before the JVM is initialised. */
  ONLOAD(1),
  /** Between the start of the agents and the start of the JVM. */
  PRIMORDIAL(2),
  /** The JVM has started, but {@code java.base} is not yet fully initialised. */
  START(6),
  /** Java code runs. */
  LIVE(4),
  /** The JVM has died, or failed to start. */
  DEAD(8);

  private final int number;

  Phase(int number) {
    this.number = number;
  }

  static Phase of(int number) {
    for (Phase value : values()) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalStateException(
        "The JVM answered phase " + number + ", which this version of JvmTools does not know");
  }
}
