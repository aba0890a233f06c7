package io.jvmtools.dump;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who waits for whom in the deadlocks that the JDK's own bean finds: for an environment that the
 * JVM does not tell who owns a monitor. The bean knows no virtual threads.
 */
final class ManagedDeadlocks {

  /** What a dump says of them. */
  static final String ASKED =
      "deadlocks over monitors that virtual threads own: the others were asked of ThreadMXBean";

  private static final boolean HERE = ModuleLayer.boot().findModule("java.management").isPresent();

  /**
   * What a thread waits for.
   *
   * @param lock the object
   * @param owner the number of the thread that owns it
   */
  record Wait(DumpedLock lock, long owner) {}

  private ManagedDeadlocks() {}

  /** Whether this runtime has the bean. */
  static boolean canBeAsked() {
    return HERE;
  }

  /** The threads that are in a deadlock now, by their number. */
  static Map<Long, Wait> ask() {
    return HERE ? Bean.ask() : Map.of();
  }

  /** Linked only where there is a bean. */
  private static final class Bean {

    static Map<Long, Wait> ask() {
      ThreadMXBean bean = ManagementFactory.getThreadMXBean();
      long[] ids = bean.findDeadlockedThreads();
      Map<Long, Wait> waits = new HashMap<>();
      if (ids != null) {
        for (ThreadInfo info : bean.getThreadInfo(ids)) {
          if (info != null && info.getLockInfo() != null) {
            waits.put(
                info.getThreadId(), new Wait(lock(info.getLockInfo()), info.getLockOwnerId()));
          }
        }
      }
      return waits;
    }

    private static DumpedLock lock(LockInfo info) {
      return new DumpedLock(info.getClassName(), info.getIdentityHashCode(), Optional.empty());
    }
  }
}
