package io.jvmtools.internal.thread;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/** What a reference to a thread is good for. */
public final class ThreadReferences {

  private static final @Nullable MethodHandle IS_VIRTUAL = find("isVirtual", boolean.class);

  private ThreadReferences() {}

  /**
   * The thread as natives take it.
   *
   * @param thread a thread that a user has named
   * @return the same, or null for the current thread, which the JVM then need not look for
   */
  public static @Nullable Thread nullIfCurrent(Thread thread) {
    return requireNonNull(thread, "thread") == Thread.currentThread() ? null : thread;
  }

  /**
   * Whether a thread object can be used. A native thread that is attaching is in the JVM's list
   * before the constructor of its object has run, and then even printing it fails.
   *
   * @param thread a thread that the JVM has named
   * @return whether it has a name and a priority
   */
  public static boolean isBuilt(Thread thread) {
    try {
      return thread.getName() != null && thread.getPriority() > 0;
    } catch (NullPointerException unfinished) {
      return false;
    }
  }

  /**
   * Whether a thread is virtual.
   *
   * @param thread any thread
   * @return whether it is; there were none before JDK 21
   */
  public static boolean isVirtual(Thread thread) {
    return IS_VIRTUAL != null && (boolean) ask(IS_VIRTUAL, thread);
  }

  /**
   * A method of {@link Thread} that came after the release that this is compiled for.
   *
   * @param name its name
   * @param result what it answers
   * @return the method; null if this JDK has none
   */
  public static @Nullable MethodHandle find(String name, Class<?> result) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, name, MethodType.methodType(result));
    } catch (NoSuchMethodException | IllegalAccessException olderJdk) {
      return null;
    }
  }

  /**
   * Asks a thread by such a method.
   *
   * @param method the method
   * @param thread the thread
   * @return the answer
   */
  public static Object ask(MethodHandle method, Thread thread) {
    try {
      return method.invoke(thread);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable undeclared) {
      throw new IllegalStateException(undeclared);
    }
  }
}
