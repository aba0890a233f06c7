package io.jvmtools.internal.loading;

import io.jvmtools.internal.Bridge;
import java.lang.reflect.InvocationTargetException;
import java.util.HexFormat;

/**
 * The way to a library in this process whose probe the JVM does not find for these classes, because
 * another class loader has loaded it, or because they were moved to another package.
 *
 * <p>The door is a class outside every package of ours, whose one native registers that of a probe.
 */
final class Door {

  private Door() {}

  /**
   * Has a library register the native of a probe.
   *
   * @return false if there is no library, or none that is ready
   * @throws InvocationTargetException if the library refuses the probe
   */
  static boolean admits(Class<?> probe) throws ReflectiveOperationException {
    try {
      return opens(Class.forName(Bridge.DOOR, false, null), probe);
    } catch (ClassNotFoundException noLoadedFile) {
      return opens(Own.DOOR, probe);
    }
  }

  private static boolean opens(Class<?> door, Class<?> probe) throws ReflectiveOperationException {
    try {
      door.getMethod("admit", Class.class).invoke(null, probe);
      return true;
    } catch (InvocationTargetException refused) {
      if (refused.getTargetException() instanceof UnsatisfiedLinkError) {
        return false;
      }
      throw refused;
    }
  }

  /** The same class in a class loader of its own, for which the JVM finds what an agent exports. */
  private static final class Own extends ClassLoader {

    static final Class<?> DOOR = new Own().door();

    private Own() {
      super(null);
    }

    private Class<?> door() {
      byte[] file = HexFormat.of().parseHex(Bridge.DOOR_CLASS);
      return defineClass(Bridge.DOOR, file, 0, file.length);
    }
  }
}
