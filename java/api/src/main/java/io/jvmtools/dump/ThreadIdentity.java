package io.jvmtools.dump;

import io.jvmtools.internal.dump.DumpNatives;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who a thread is, without the thread.
 *
 * @param name its name
 * @param id its number
 * @param virtual whether it is a virtual thread
 * @param daemon whether it is a daemon
 * @param priority its priority
 * @param group the name of its group, empty once it has ended
 */
record ThreadIdentity(
    String name, long id, boolean virtual, boolean daemon, int priority, Optional<String> group) {

  private static final @Nullable MethodHandle IS_VIRTUAL = find("isVirtual", boolean.class);
  private static final @Nullable MethodHandle THREAD_ID = find("threadId", long.class);

  static ThreadIdentity of(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    return new ThreadIdentity(
        thread.getName(),
        id(thread),
        isVirtual(thread),
        thread.isDaemon(),
        thread.getPriority(),
        group == null ? Optional.empty() : Optional.of(group.getName()));
  }

  /** Where there is no {@code threadId()} yet, a subclass may have put its own method in place. */
  static long id(Thread thread) {
    if (THREAD_ID != null) {
      return (long) ask(THREAD_ID, thread);
    }
    return thread.getClass() == Thread.class ? thread.getId() : DumpNatives.threadId(thread);
  }

  private static boolean isVirtual(Thread thread) {
    return IS_VIRTUAL != null && (boolean) ask(IS_VIRTUAL, thread);
  }

  DumpedName asName() {
    return new DumpedName(name, id);
  }

  /** A method of {@link Thread} that came after the release that this is compiled for. */
  private static @Nullable MethodHandle find(String name, Class<?> result) {
    try {
      return MethodHandles.publicLookup()
          .findVirtual(Thread.class, name, MethodType.methodType(result));
    } catch (NoSuchMethodException | IllegalAccessException olderJdk) {
      return null;
    }
  }

  private static Object ask(MethodHandle method, Thread thread) {
    try {
      return method.invoke(thread);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable undeclared) {
      throw new IllegalStateException(undeclared);
    }
  }
}
