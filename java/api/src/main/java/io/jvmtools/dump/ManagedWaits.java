package io.jvmtools.dump;

import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.code.MemberNameFacts;
import io.jvmtools.internal.code.MethodNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import java.lang.management.LockInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which monitors threads wait for, and the deadlocks among them, as the JDK's own bean finds them:
 * for an environment that the JVM does not tell. The bean knows no virtual threads.
 */
final class ManagedWaits {

  /** What a dump says of them where all is known. */
  static final String ASKED_LATER =
      "one moment of who waits for whose monitor: ThreadMXBean was asked for that, a moment later";

  /** What it says where it is not. */
  static final String ASKED =
      Runtime.version().feature() >= 21
          ? "deadlocks over monitors that virtual threads own: ThreadMXBean was asked, a moment"
              + " later, for the others and for who waits for whose monitor, and knows no virtual"
              + " threads"
          : ASKED_LATER;

  /** Whether there is a bean to ask. */
  static final boolean HERE = ModuleLayer.boot().findModule("java.management").isPresent();

  private static final String NUMBERS_ITSELF =
      " has a getId() of its own, which ThreadMXBean would call";

  /** Before, the bean asks the threads it speaks of for their number, and subclasses may answer. */
  private static final boolean NUMBERS_ARE_FINAL = Runtime.version().feature() >= 19;

  /**
   * What a thread waits for.
   *
   * @param lock the object; null if the bean does not know it, as where a virtual thread owns it
   * @param owner the thread that owns it
   * @param stays whether it is a part of a deadlock: then it was so before, and will be
   */
  record Wait(@Nullable DumpedLock lock, @Nullable DumpedName owner, boolean stays) {}

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
    Optional<String> answering =
        NUMBERS_ARE_FINAL
            ? Optional.empty()
            : threads.get().stream()
                .map(Thread::getClass)
                .distinct()
                .filter(ManagedWaits::mayAnswer)
                .findFirst()
                .map(type -> type.getName() + NUMBERS_ITSELF);
    return answering.or(Bean::prohibition);
  }

  /**
   * Whether threads of a class may have a number of their own. The JVM is asked: reflection loads
   * the types of all methods, by the class's loader, which may be locked for good.
   */
  private static boolean mayAnswer(Class<?> threads) {
    long env = GeneralNatives.metadata();
    for (Class<?> type = threads; type != Thread.class; type = type.getSuperclass()) {
      for (long id : ClassNatives.getClassMethods(env, type)) {
        var names = (MemberNameFacts) MethodNatives.getMethodName(env, type, id);
        if (names.name().equals("getId") && names.signature().equals("()J")) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Which monitors those of some threads that still do wait for, by their number.
   *
   * @param waiting the numbers of threads that wait for a monitor or for a lock that has an owner
   * @param isBlocked whether the one of that number waits for a monitor now
   */
  static Map<Long, Wait> ask(long[] waiting, LongPredicate isBlocked) {
    return HERE ? Bean.ask(waiting, isBlocked) : Map.of();
  }

  /** Linked only where there is a bean. */
  private static final class Bean {

    /** Why nobody may ask it. */
    static Optional<String> prohibition() {
      try {
        long[] own = {ThreadIdentity.id(Thread.currentThread())};
        ThreadBean.get().getThreadInfo(own);
        return Optional.empty();
      } catch (SecurityException refused) {
        return Optional.of(
            "a SecurityManager lets nobody ask ThreadMXBean: " + refused.getMessage());
      }
    }

    static Map<Long, Wait> ask(long[] waiting, LongPredicate isBlocked) {
      ThreadMXBean bean = ThreadBean.get();
      Set<Long> deadlocked = new HashSet<>();
      long[] ids = bean.findDeadlockedThreads();
      for (int i = 0; ids != null && i < ids.length; i++) {
        deadlocked.add(ids[i]);
      }
      ThreadInfo[] infos = bean.getThreadInfo(waiting);
      deadlocked.addAll(StandingCircles.among(infos, bean::getThreadInfo));
      Map<Long, Wait> waits = new HashMap<>();
      for (ThreadInfo info : infos) {
        if (info != null && info.getThreadState() == Thread.State.BLOCKED) {
          boolean stays = deadlocked.contains(info.getThreadId());
          waits.put(info.getThreadId(), new Wait(lock(info.getLockInfo()), owner(info), stays));
        } else if (info != null && isBlockedUnseen(bean, info, isBlocked)) {
          waits.put(info.getThreadId(), new Wait(null, null, false));
        }
      }
      return waits;
    }

    /**
     * Whether one that the bean takes for running is blocked, as on 25 where a virtual thread owns
     * the monitor. The bean counts how often a thread was blocked.
     */
    private static boolean isBlockedUnseen(
        ThreadMXBean bean, ThreadInfo info, LongPredicate isBlocked) {
      if (!isBlocked.test(info.getThreadId())) {
        return false;
      }
      ThreadInfo now = bean.getThreadInfo(info.getThreadId());
      return now != null
          && now.getThreadState() != Thread.State.BLOCKED
          && now.getBlockedCount() == info.getBlockedCount();
    }

    private static @Nullable DumpedLock lock(@Nullable LockInfo info) {
      return info == null
          ? null
          : new DumpedLock(info.getClassName(), info.getIdentityHashCode(), Optional.empty());
    }

    private static @Nullable DumpedName owner(ThreadInfo info) {
      String name = info.getLockOwnerName();
      return name == null ? null : new DumpedName(name, info.getLockOwnerId());
    }
  }
}
