package io.jvmtools.benches;

import java.lang.reflect.Method;

/** An agent in C with an environment of its own, which answers lists. */
final class ListsC {
  private ListsC() {}

  /** Makes the environment. */
  static native void open();

  static native Class<?>[] loadedClasses();

  static native Class<?>[] interfaces(Class<?> target);

  static native long[] methods(Class<?> target);

  /** Names and signatures in turn; their modifiers go into the array. */
  static native String[] fields(Class<?> target, int[] modifiers);

  static native Module[] modules();

  static native Thread[] threads();

  /** Locations and lines in turn. */
  static native int[] lineNumbers(long method);

  static native byte[] bytecodes(long method);

  /** Names and values in turn. */
  static native String[] properties();

  static native void setTag(Object object, long tag);

  static native Object[] withTag(long tag);

  static native long methodId(Method executable);
}
