package io.jvmtools.neighbour;

/** How a JVM ends by itself. */
enum Ending {
  /** By {@link System#exit(int)}. */
  EXIT,
  /** By returning from {@code main}. */
  RETURN
}
