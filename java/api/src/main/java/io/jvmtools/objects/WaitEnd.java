package io.jvmtools.objects;

import java.time.Duration;

/**
 * How a wait has ended.
 *
 * @see RawMonitor#await(Duration)
 */
public enum WaitEnd {
  /** Another thread has signalled, and meant this one. */
  SIGNALLED,
  /** Its time was over. */
  TIMED_OUT,
  /** The thread was interrupted, and is so no longer. */
  INTERRUPTED
}
