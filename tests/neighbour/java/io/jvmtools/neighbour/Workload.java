package io.jvmtools.neighbour;

import java.util.List;

/** A program that does real work and knows what must come of it. */
interface Workload {

  /** Returns when the work is under way. */
  void start() throws Exception;

  /** Looked at once a second: a chance to say what takes too long. */
  default void lookAfter() {}

  /** Ends the work, and checks what shows only at the end. */
  void stop() throws Exception;

  /** Some of the threads that the JVM lists nowhere, because they are virtual. */
  default List<Thread> virtualThreads() {
    return List.of();
  }
}
