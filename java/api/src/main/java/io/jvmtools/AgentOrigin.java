package io.jvmtools;

/** How the native library came into this JVM. It decides which capabilities can be had. */
public enum AgentOrigin {
  /** Loaded from Java by the first use of this library: capabilities of the live phase only. */
  LIBRARY,
  /** Loaded by {@code -agentpath} when the JVM started: every capability that the JVM has. */
  AT_START,
  /** Loaded by {@link Agent#attach(long)}: capabilities of the live phase only. */
  ATTACHED;

  static AgentOrigin of(int number) {
    return values()[number];
  }
}
