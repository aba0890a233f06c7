package io.jvmtools.event;

import io.jvmtools.internal.event.EventNatives;

/**
 * Tells listeners what was recorded for an environment, until that is closed. It knows only its
 * number, so that one that nobody keeps is collected, and closed.
 */
final class Recorder extends Thread {

  private static final String NAME = "JvmTools events";

  private final long env;

  Recorder(long env) {
    super(null, null, NAME, 0, false);
    this.env = env;
    setDaemon(true);
    setContextClassLoader(null);
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
