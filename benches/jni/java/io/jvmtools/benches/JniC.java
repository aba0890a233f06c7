package io.jvmtools.benches;

/** So many calls of JNI's shortest function. */
final class JniC {
  private JniC() {}

  /** What {@link #copy} calls from here on. */
  static native void copyTable();

  static native int table(int times);

  static native int copy(int times);
}
