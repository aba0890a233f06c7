package io.jvmtools.oracle.events;

/** Each of its native methods is bound when it is called first. */
final class ActedNative {

  private ActedNative() {}

  static native int version();

  static native int seven();
}
