package io.jvmtools.matrix;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;

/** Where objects are, read from the references to them. */
final class Addresses {

  private static final Class<?> UNSAFE_TYPE = unsafeType();
  private static final Object UNSAFE = unsafe();

  /** Where an {@code Object[]} has its first reference. */
  static final int BASE = (int) call("arrayBaseOffset", Object[].class);

  /** The bytes of a reference in an {@code Object[]}. */
  static final int SCALE = (int) call("arrayIndexScale", Object[].class);

  private Addresses() {}

  /** One number for each object: another number is another place. */
  static long[] of(Collection<?> objects, MemoryLayout layout) {
    return objects.stream().mapToLong(object -> layout.address(reference(object))).toArray();
  }

  static boolean differ(long[] before, long[] after) {
    return !Arrays.equals(before, after);
  }

  /** Just stored, the reference is the object's place of now; an older one might be forwarded. */
  private static long reference(Object object) {
    Object[] holder = {object};
    long offset = BASE;
    return SCALE == Integer.BYTES
        ? ((int) call("getInt", holder, offset)) & 0xFFFFFFFFL
        : (long) call("getLong", holder, offset);
  }

  private static Object call(String name, Object... arguments) {
    Class<?>[] types =
        arguments.length == 1
            ? new Class<?>[] {Class.class}
            : new Class<?>[] {Object.class, long.class};
    try {
      Method method = UNSAFE_TYPE.getMethod(name, types);
      return method.invoke(UNSAFE, arguments);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Class<?> unsafeType() {
    try {
      return Class.forName("sun.misc.Unsafe");
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object unsafe() {
    try {
      Field field = UNSAFE_TYPE.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      return field.get(null);
    } catch (NoSuchFieldException | IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
