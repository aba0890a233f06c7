package io.jvmtools.dump;

import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.stack.FrameNatives;
import io.jvmtools.internal.stack.PackedStates;
import io.jvmtools.internal.stack.StackFacts;
import io.jvmtools.thread.ThreadState;
import java.lang.management.LockInfo;
import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What platform threads wait on in {@link Object#wait()}, as the JDK's own bean tells it: the JVM
 * tells it only who started with the agent, and from JDK 23 on only through a frame's receiver. The
 * bean is asked before a dump and after it; a thread that has waited as often, and on the same
 * object, has not left it in between.
 */
final class AwaitedObjects {

  static final boolean TOLD_BY_THE_JVM = Runtime.version().feature() < 23;

  /** For each that waits the bean looks through all threads for an owner: this takes 60 ms. */
  private static final int STEPS = 10_000_000;

  private final long[] numbers;
  private final Map<Long, Wait> before;

  private record Wait(long count, DumpedLock object) {

    /** What a record gets by itself would keep our class loader before JDK 19 (JDK-8078641). */
    boolean isStill(@Nullable Wait before) {
      return before != null && count == before.count && object.equals(before.object);
    }
  }

  private AwaitedObjects(long[] numbers) {
    this.numbers = numbers;
    this.before = numbers.length == 0 ? Map.of() : Bean.ask(numbers);
  }

  /**
   * Those of a dump that is about to be taken.
   *
   * @param environment what takes it
   * @param options what is wanted
   * @param parts what it reads
   * @param threads all there are
   */
  static AwaitedObjects before(
      Environment environment,
      DumpOptions options,
      DumpParts parts,
      Supplier<List<Thread>> threads) {
    boolean isNeeded =
        options.has(DumpPart.CONTENDED_MONITORS)
            && !areTold(parts.bits())
            && ManagedWaits.refusal(threads).isEmpty();
    return new AwaitedObjects(
        isNeeded ? waiting(environment.handle(), options.threads()) : new long[0]);
  }

  private static boolean areTold(int parts) {
    return (parts & Bridge.DUMP_CONTENDED) != 0
        && (TOLD_BY_THE_JVM || (parts & Bridge.DUMP_LOCALS) != 0);
  }

  /**
   * The numbers of some that wait, {@link #STEPS} at most. Their states are read at one safepoint:
   * asked for the state of one, the JVM goes through all threads.
   */
  private static long[] waiting(long env, @Nullable List<Thread> chosen) {
    List<Thread> waiting = new ArrayList<>();
    PackedStates.each(
        (StackFacts)
            (chosen == null
                ? FrameNatives.getAllStackTraces(env, 1)
                : FrameNatives.getThreadListStackTraces(env, chosen.toArray(new Thread[0]), 1)),
        (thread, bits) -> {
          if (ThreadState.of(bits).isInObjectWait()) {
            waiting.add(thread);
          }
        });
    return waiting.stream().limit(STEPS / Bean.threads()).mapToLong(ThreadIdentity::id).toArray();
  }

  /** What they have been waiting on from then until now, by their numbers. */
  Map<Long, DumpedLock> after() {
    Map<Long, DumpedLock> objects = new HashMap<>();
    if (!before.isEmpty()) {
      Bean.ask(numbers)
          .forEach(
              (number, wait) -> {
                if (wait.isStill(before.get(number))) {
                  objects.put(number, wait.object());
                }
              });
    }
    return objects;
  }

  /** Linked only where there is a bean. */
  private static final class Bean {

    /** How many there are that the bean knows. */
    static int threads() {
      return ThreadBean.get().getThreadCount();
    }

    static Map<Long, Wait> ask(long[] numbers) {
      Map<Long, Wait> waits = new HashMap<>();
      for (ThreadInfo info : ThreadBean.get().getThreadInfo(numbers)) {
        LockInfo lock = info == null ? null : info.getLockInfo();
        if (lock != null) {
          DumpedLock object =
              new DumpedLock(lock.getClassName(), lock.getIdentityHashCode(), Optional.empty());
          waits.put(info.getThreadId(), new Wait(info.getWaitedCount(), object));
        }
      }
      return waits;
    }
  }
}
