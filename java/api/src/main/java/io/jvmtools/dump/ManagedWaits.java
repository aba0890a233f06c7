package io.jvmtools.dump;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which monitors threads wait for, and the deadlocks among them, as the JDK's own bean finds them:
 * for an environment that the JVM does not tell. The bean knows no virtual threads.
 */
final class ManagedWaits {

  /** What a dump says of them. */
  static final String ASKED =
      Runtime.version().feature() >= 21
          ? "deadlocks over monitors that virtual threads own: ThreadMXBean was asked, a moment"
              + " later, for the others and for who waits for whose monitor, and knows no virtual"
              + " threads"
          : "one moment of who waits for whose monitor: ThreadMXBean was asked for that, a moment"
              + " later";

  /** Whether there is a bean to ask. */
  static final boolean HERE = ModuleLayer.boot().findModule("java.management").isPresent();

  /** Before, the bean asks the threads it speaks of for their number, and subclasses may answer. */
  private static final boolean NUMBERS_ARE_FINAL = Runtime.version().feature() >= 19;

  /**
   * What a thread waits for.
   *
   * @param lock the object
   * @param owner the thread that owns it
   * @param stays whether it is a part of a deadlock: then it was so before, and will be
   */
  record Wait(DumpedLock lock, @Nullable DumpedName owner, boolean stays) {}

  private ManagedWaits() {}

  /**
   * Why the bean cannot be asked.
   *
   * @param threads all there are
   * @return a reason; empty if it can
   */
  static Optional<String> refusal(Supplier<List<Thread>> threads) {
    if (!HERE) {
      return Optional.of("this runtime has no java.management, which would find some");
    }
    if (NUMBERS_ARE_FINAL) {
      return Optional.empty();
    }
    return threads.get().stream()
        .map(Thread::getClass)
        .distinct()
        .filter(ManagedWaits::mayAnswer)
        .findFirst()
        .map(type -> type.getName() + " has a getId() of its own, which ThreadMXBean would call");
  }

  /** Whether threads of a class may have a number of their own, or that cannot be seen. */
  private static boolean mayAnswer(Class<?> type) {
    if (type == Thread.class) {
      return false;
    }
    try {
      return type.getMethod("getId").getDeclaringClass() != Thread.class;
    } catch (NoSuchMethodException | LinkageError | SecurityException hidden) {
      return true;
    }
  }

  /**
   * What those of some threads that still do wait for, by their number.
   *
   * @param blocked the numbers of threads that wait for a monitor
   */
  static Map<Long, Wait> ask(long[] blocked) {
    return HERE ? Bean.ask(blocked) : Map.of();
  }

  /** Linked only where there is a bean. */
  private static final class Bean {

    static Map<Long, Wait> ask(long[] blocked) {
      ThreadMXBean bean = ManagementFactory.getThreadMXBean();
      Set<Long> deadlocked = new HashSet<>();
      long[] ids = bean.findDeadlockedThreads();
      for (int i = 0; ids != null && i < ids.length; i++) {
        deadlocked.add(ids[i]);
      }
      Map<Long, Wait> waits = new HashMap<>();
      for (ThreadInfo info : bean.getThreadInfo(blocked)) {
        if (info != null
            && info.getLockInfo() != null
            && info.getThreadState() == Thread.State.BLOCKED) {
          boolean stays = deadlocked.contains(info.getThreadId());
          waits.put(info.getThreadId(), new Wait(lock(info.getLockInfo()), owner(info), stays));
        }
      }
      return waits;
    }

    private static DumpedLock lock(LockInfo info) {
      return new DumpedLock(info.getClassName(), info.getIdentityHashCode(), Optional.empty());
    }

    private static @Nullable DumpedName owner(ThreadInfo info) {
      String name = info.getLockOwnerName();
      return name == null ? null : new DumpedName(name, info.getLockOwnerId());
    }
  }
}
