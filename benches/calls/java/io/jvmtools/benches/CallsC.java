package io.jvmtools.benches;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
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

  /** Which method and which field the calls below are about. */
  static native void about(Method method, Field field);

  static native long methodId();

  static native long fieldId();

  static native int getFrameCount(Thread thread);

  static native int getLocalInt(Thread thread, int depth, int slot);

  static native int getObjectHashCode(Object object);

  static native int getClassModifiers(Class<?> target);

  static native int getMethodModifiers();

  static native int getFieldModifiers(Class<?> target);

  static native boolean isModifiableModule(Module module);

  /** Enters a raw monitor, runs this, and exits it. */
  static native void whileEntered(Runnable action);

  /** Takes the capabilities for breakpoints and watches, which only one can have, or gives them. */
  static native void holdPlaces(boolean hold);

  static native void setAndClearBreakpoint();

  static native void setAndClearWatch(Class<?> target);

  static native int getPhase();
}
