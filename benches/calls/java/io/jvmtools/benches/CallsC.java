package io.jvmtools.benches;

import org.jspecify.annotations.Nullable;

/** An agent in C with an environment of its own. A null thread is the current one. */
final class CallsC {
  private CallsC() {}

  /** Makes the environment. */
  static native void open();

  static native int getThreadState(@Nullable Thread thread);

  static native long getTag(Object object);

  static native void setTag(Object object, long tag);

  static native long getTime();

  static native long getCurrentThreadCpuTime();

  static native long getThreadCpuTime(@Nullable Thread thread);
}
