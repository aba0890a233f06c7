package io.jvmtools.oracle.actors;

import io.jvmtools.support.Installation;
import java.util.Locale;

/** Virtual threads by reflection: the tests compile for a release that has none. */
public final class Virtual {

  private Virtual() {}

  /** Whether this JDK has them. */
  public static boolean isHere() {
    return Installation.feature() >= 21;
  }

  public static boolean is(Thread thread) {
    return thread.getClass().getSimpleName().toLowerCase(Locale.ROOT).contains("virtual");
  }

  public static Thread start(String name, Runnable body) {
    return build(name, "start", body);
  }

  public static Thread unstarted() {
    return build("actor virtual unstarted", "unstarted", () -> {});
  }

  public static Thread ended() {
    Thread thread = build("actor virtual ended", "start", () -> {});
    Actor.join(thread);
    return thread;
  }

  /** Runs a body in a virtual thread to its end. */
  public static void run(Runnable body) {
    Throwable[] failure = new Throwable[1];
    Thread thread = build("actor virtual current", "unstarted", body);
    thread.setUncaughtExceptionHandler((dying, cause) -> failure[0] = cause);
    thread.start();
    Actor.join(thread);
    if (failure[0] != null) {
      throw new IllegalStateException(failure[0]);
    }
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
