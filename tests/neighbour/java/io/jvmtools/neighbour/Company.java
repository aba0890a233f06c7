package io.jvmtools.neighbour;

/** What is in the JVM beside the work. */
enum Company {
  /** The agent, and one who uses all of it. */
  NEIGHBOUR("neighbour"),
  /** The agent, and nobody who uses it. */
  IDLE("idle agent"),
  /** The work alone. */
  NONE("no agent");

  private final String words;

  Company(String words) {
    this.words = words;
  }

  boolean hasAgent() {
    return this != NONE;
  }

  @Override
  public String toString() {
    return words;
  }
}
