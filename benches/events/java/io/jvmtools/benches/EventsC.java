package io.jvmtools.benches;

/** An agent in C whose callbacks do nothing. */
final class EventsC {
  private EventsC() {}

  static native void open();

  /** Whether exceptions are told. */
  static native void exceptions(boolean enabled);

  /** Has the code told that there is; how much. */
  static native int generate();
}
