package io.jvmtools.functions;

/** Virtual threads by reflection: the tests compile for a release that has none. */
public final class VirtualThreads {

  private VirtualThreads() {}

  /** Starts a virtual thread; for JDK 21 and later. */
  public static Thread start(String name, Runnable body) {
    return build(name, "start", body);
  }

  /** Makes a virtual thread and does not start it; for JDK 21 and later. */
  public static Thread unstarted(String name) {
    return unstarted(name, () -> {});
  }

  /** Makes a virtual thread and does not start it; for JDK 21 and later. */
  public static Thread unstarted(String name, Runnable body) {
    return build(name, "unstarted", body);
  }

  private static Thread build(String name, String method, Runnable body) {
    try {
      Class<?> type = Class.forName("java.lang.Thread$Builder");
      Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
      builder = type.getMethod("name", String.class).invoke(builder, name);
      return (Thread) type.getMethod(method, Runnable.class).invoke(builder, body);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This JDK has no virtual threads", e);
    }
  }
}
