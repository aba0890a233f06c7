package io.jvmtools.neighbour;

/** What the watched JVM says to the one that watches. */
enum Word {
  /** The work is under way. */
  STARTED,
  /** It goes on. */
  PROGRESS,
  /** It is to end now. */
  STOPPING,
  /** It has ended, and from here on there is nothing left but the end of the JVM. */
  ENDED
}
