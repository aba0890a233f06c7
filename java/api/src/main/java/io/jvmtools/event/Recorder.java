package io.jvmtools.event;

import io.jvmtools.internal.event.EventNatives;
import io.jvmtools.internal.thread.LibraryThread;

/**
 * Tells listeners what was recorded for an environment, until that is closed. It knows only its
 * number, so that one that nobody keeps is collected, and closed.
 */
final class Recorder extends LibraryThread {

  private final long env;

  Recorder(long env) {
    super(EVENTS, () -> {});
    this.env = env;
  }

  @Override
  @SuppressWarnings("StatementWithEmptyBody") // All is done in the condition.
  public void run() {
    try {
      while (EventNatives.tellRecorded(env)) {}
    } catch (IllegalStateException closed) {
      // There is nobody left to tell.
    }
  }
}
