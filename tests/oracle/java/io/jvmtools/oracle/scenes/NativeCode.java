package io.jvmtools.oracle.scenes;

/** What the scenarios need of native code. The agent of the oracle is there whoever observes. */
final class NativeCode {

  private NativeCode() {}

  /** Enters a monitor, as JNI's {@code MonitorEnter} does. */
  static native void enter(Object monitor);

  /** So many calls of JNI's {@code GetVersion}. */
  static native void getVersion(int times);

  /** Leaves a monitor that native code has entered. */
  static native void exit(Object monitor);

  /** So many calls of JNI's {@code GetSuperclass}. */
  static native void getSuperclass(Class<?> of, int times);
}
