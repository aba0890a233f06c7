package io.jvmtools.benches;

/** A native written in C that does nothing. */
final class EmptyC {
  private EmptyC() {}

  static native void empty(long env);
}
