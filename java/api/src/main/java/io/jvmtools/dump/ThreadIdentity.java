package io.jvmtools.dump;

import io.jvmtools.internal.dump.DumpNatives;
import io.jvmtools.internal.thread.ThreadReferences;
import java.lang.invoke.MethodHandle;
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

  private static final @Nullable MethodHandle THREAD_ID =
      ThreadReferences.find("threadId", long.class);

  static ThreadIdentity of(Thread thread) {
    ThreadGroup group = thread.getThreadGroup();
    return new ThreadIdentity(
        thread.getName(),
        id(thread),
        ThreadReferences.isVirtual(thread),
        thread.isDaemon(),
        thread.getPriority(),
        group == null ? Optional.empty() : Optional.of(group.getName()));
  }

  /** Where there is no {@code threadId()} yet, a subclass may have put its own method in place. */
  static long id(Thread thread) {
    if (THREAD_ID != null) {
      return (long) ThreadReferences.ask(THREAD_ID, thread);
    }
    return thread.getClass() == Thread.class ? thread.getId() : DumpNatives.threadId(thread);
  }

  DumpedName asName() {
    return new DumpedName(name, id);
  }
}
