package io.jvmtools.pairs;

import java.time.Duration;

/** How long a call may be inside: what the Javadoc says, and four seconds for a busy machine. */
final class Bounds {

  /** What the machine may take for itself, for as many threads as there are here. */
  private static final Duration BUSY = Duration.ofSeconds(4);

  /** {@code close()}: half a second. */
  static final Duration CLOSE = BUSY.plusMillis(500);

  /** Five seconds for the threads of the library, and the deadlines here are short. */
  static final Duration CALL = BUSY.plusSeconds(5);

  /** A dump also waits for those that are being taken, each of which may have its second twice. */
  static final Duration DUMP = CALL.plusSeconds(6);

  private Bounds() {}
}
