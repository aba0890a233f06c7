package io.jvmtools.thread;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.SuspensionExpiredException;
import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.Lists;
import io.jvmtools.internal.Nanos;
import io.jvmtools.internal.dump.DumpNatives;
import io.jvmtools.internal.environment.Bracketed;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.failure.Failures;
import io.jvmtools.internal.thread.SuspensionNatives;
import io.jvmtools.internal.thread.ThreadMap;
import io.jvmtools.internal.thread.ThreadNatives;
import io.jvmtools.internal.thread.ThreadReferences;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Suspends and resumes.
 *
 * <p>A suspended thread keeps what it has locked, and that can be anything: a class loader, a table
 * of the JDK. So nothing here loads classes or takes locks while others are suspended: no lambdas,
 * no concatenation of strings, and the exceptions that can be needed are tried out before.
 */
final class Suspensions {

  private static final String SUSPEND_THREAD = "SuspendThread";

  private static final int NONE = 0;
  private static final int THREAD_NOT_SUSPENDED = 13;
  private static final int THREAD_SUSPENDED = 14;
  private static final int THREAD_NOT_ALIVE = 15;

  static {
    ThreadState.of(0).isTerminated();
    for (int code : new int[] {THREAD_NOT_SUSPENDED, THREAD_SUSPENDED, THREAD_NOT_ALIVE}) {
      refusals(new Thread[] {Thread.currentThread()}, new int[] {code});
      try {
        Failures.raise(code, SUSPEND_THREAD, Thread.currentThread().getName(), 0);
      } catch (JvmtiException triedOut) {
        // Its classes are there now.
      }
    }
  }

  private Suspensions() {}

  static void suspend(Environment environment, Thread thread) {
    Thread other = ThreadReferences.nullIfCurrent(thread);
    requireNotOurs(environment, thread);
    ThreadNatives.suspendThread(environment.handle(), other);
    environment.keep();
  }

  static Map<Thread, JvmtiError> suspend(Environment environment, Collection<Thread> threads) {
    Thread[] all = arrayOf(threads, "threads");
    requireNotOurs(environment, all);
    int[] codes = ThreadNatives.suspendThreadList(environment.handle(), all);
    return environment.keep(refusals(all, codes));
  }

  static Map<Thread, JvmtiError> resume(Environment environment, Collection<Thread> threads) {
    Thread[] all = arrayOf(threads, "threads");
    int[] codes = ThreadNatives.resumeThreadList(environment.handle(), all);
    return environment.keep(refusals(all, codes));
  }

  static void suspendAllVirtual(Environment environment, Thread[] except) {
    Thread[] left = arrayOf(except, "except");
    ThreadNatives.suspendAllVirtualThreads(environment.handle(), left);
    environment.keep();
  }

  static void resumeAllVirtual(Environment environment, Thread[] except) {
    Thread[] left = arrayOf(except, "except");
    ThreadNatives.resumeAllVirtualThreads(environment.handle(), left);
    environment.keep();
  }

  static <T extends @Nullable Object> T with(
      Environment environment, Thread thread, Duration deadline, SuspendedAction<T> action) {
    Thread[] one = {requireNonNull(thread, "thread")};
    long nanos = nanosOf(deadline);
    requireNonNull(action, "action");
    requireNotCurrent(one);
    requireNotOurs(environment, one);
    return run(environment, one, nanos, LeaveOut.NOBODY, action);
  }

  static <T extends @Nullable Object> T with(
      Environment environment,
      Collection<Thread> threads,
      Duration deadline,
      SuspendedAction<T> action) {
    Thread[] all = arrayOf(threads, "threads");
    long nanos = nanosOf(deadline);
    requireNonNull(action, "action");
    requireNotCurrent(all);
    Thread[] others = withoutOurs(environment, all);
    if (others.length == 0) {
      throw new IllegalArgumentException(
          all.length == 0
              ? "threads must not be empty"
              : "threads must have others than the library's own, which are left out");
    }
    return run(environment, others, nanos, LeaveOut.ENDED, action);
  }

  static <T extends @Nullable Object> T withOthers(
      Environment environment, Duration deadline, SuspendedAction<T> action) {
    long nanos = nanosOf(deadline);
    requireNonNull(action, "action");
    return run(environment, others(environment), nanos, LeaveOut.NOT_ALIVE, action);
  }

  /** Which threads that could not be suspended are no reason not to run the action. */
  private enum LeaveOut {
    NOBODY(Bridge.SUSPEND_ONE),
    /** And those that were suspended already. */
    ENDED(Bridge.SUSPEND_SOME),
    /** And those that were suspended already. */
    NOT_ALIVE(Bridge.SUSPEND_OTHERS);

    private final int extent;

    LeaveOut(int extent) {
      this.extent = extent;
    }
  }

  private static <T extends @Nullable Object> T run(
      Environment environment,
      Thread[] threads,
      long nanos,
      LeaveOut leaveOut,
      SuspendedAction<T> action) {
    int[] codes = new int[threads.length];
    Checked<T> checked = new Checked<>(environment, threads, codes, leaveOut, action);
    Bracketed<T> bracketed = new Bracketed<>(checked);
    RuntimeException tooLate = null;
    try {
      if (!SuspensionNatives.whileSuspended(
          environment.handle(), threads, nanos, leaveOut.extent, codes, bracketed)) {
        tooLate = expired(threads, codes);
      }
    } catch (IllegalStateException notEnded) {
      tooLate = notEnded;
    }
    Throwable failure = bracketed.failure();
    // That something could not be suspended says more than that it took too long.
    if (tooLate != null && (checked.acts || failure == null)) {
      if (failure != null) {
        tooLate.addSuppressed(failure);
      }
      throw tooLate;
    }
    return environment.keep(bracketed.outcome());
  }

  /** An action that runs if all that it needs are suspended. */
  private static final class Checked<T extends @Nullable Object> implements Bracketed.Action<T> {

    private final Environment environment;
    private final Thread[] threads;
    private final int[] codes;
    private final LeaveOut leaveOut;
    private final SuspendedAction<T> action;
    private boolean acts;

    private Checked(
        Environment environment,
        Thread[] threads,
        int[] codes,
        LeaveOut leaveOut,
        SuspendedAction<T> action) {
      this.environment = environment;
      this.threads = threads;
      this.codes = codes;
      this.leaveOut = leaveOut;
      this.action = action;
    }

    @Override
    public T run() {
      requireSuspended(environment, threads, codes, leaveOut);
      acts = true;
      return action.run();
    }
  }

  private static void requireSuspended(
      Environment environment, Thread[] threads, int[] codes, LeaveOut leaveOut) {
    for (int i = 0; i < threads.length; i++) {
      boolean fine =
          switch (codes[i]) {
            case NONE -> true;
            case THREAD_SUSPENDED -> leaveOut != LeaveOut.NOBODY;
            case THREAD_NOT_ALIVE ->
                leaveOut == LeaveOut.NOT_ALIVE
                    || (leaveOut == LeaveOut.ENDED && hasEnded(environment, threads[i]));
            default -> false;
          };
      if (!fine) {
        Failures.raise(codes[i], SUSPEND_THREAD, threads[i].getName(), environment.handle());
      }
    }
  }

  private static boolean hasEnded(Environment environment, Thread thread) {
    int bits = ThreadNatives.getThreadState(environment.handle(), thread);
    return ThreadState.of(bits).isTerminated();
  }

  /**
   * All platform threads but the calling one and our own, unless those run something of the
   * application's, and the virtual ones if the environment may.
   */
  private static Thread[] others(Environment environment) {
    Thread[] ours = SuspensionNatives.ownThreads(environment.handle());
    Thread[] idle = SuspensionNatives.idleThreads(environment.handle());
    List<Thread> others = new ArrayList<>();
    add(others, ThreadNatives.getAllThreads(environment.handle()), ours, idle);
    if (environment.holds(Capability.CAN_SUPPORT_VIRTUAL_THREADS)) {
      add(others, DumpNatives.virtualThreads(environment.handle()), ours, idle);
    }
    return others.toArray(new Thread[0]);
  }

  private static void add(List<Thread> others, Thread[] threads, Thread[] ours, Thread[] idle) {
    for (Thread thread : threads) {
      if (thread != Thread.currentThread()
          && !isAmong(thread, ours)
          && !isAmong(thread, idle)
          && ThreadReferences.isBuilt(thread)) {
        others.add(thread);
      }
    }
  }

  private static boolean isAmong(Thread thread, Thread[] threads) {
    for (Thread other : threads) {
      if (thread == other) {
        return true;
      }
    }
    return false;
  }

  private static SuspensionExpiredException expired(Thread[] threads, int[] codes) {
    List<Thread> suspended = new ArrayList<>();
    for (int i = 0; i < threads.length; i++) {
      if (codes[i] == NONE) {
        suspended.add(threads[i]);
      }
    }
    return new SuspensionExpiredException(suspended);
  }

  private static Map<Thread, JvmtiError> refusals(Thread[] threads, int[] codes) {
    Map<Thread, JvmtiError> refusals = new ThreadMap<>();
    for (int i = 0; i < codes.length; i++) {
      if (codes[i] != NONE) {
        refusals.put(threads[i], JvmtiError.of(codes[i]));
      }
    }
    return Collections.unmodifiableMap(refusals);
  }

  /**
   * All but the library's own, which the JVM lists like any other, unless those run something of
   * the application's.
   */
  private static Thread[] withoutOurs(Environment environment, Thread[] threads) {
    Thread[] ours = SuspensionNatives.ownThreads(environment.handle());
    Thread[] idle = SuspensionNatives.idleThreads(environment.handle());
    List<Thread> others = new ArrayList<>(threads.length);
    for (Thread thread : threads) {
      if (!isAmong(thread, ours) && !isAmong(thread, idle)) {
        others.add(thread);
      }
    }
    return others.toArray(new Thread[0]);
  }

  private static void requireNotCurrent(Thread[] threads) {
    for (Thread thread : threads) {
      if (thread == Thread.currentThread()) {
        throw new IllegalArgumentException("the calling thread cannot suspend itself for a time");
      }
    }
  }

  /** Refuses the library's own threads. */
  static void requireNotOurs(Environment environment, Thread... threads) {
    Thread[] ours = SuspensionNatives.ownThreads(environment.handle());
    for (Thread thread : threads) {
      if (isAmong(thread, ours)) {
        throw new IllegalArgumentException(
            thread.getName()
                + ", a thread of this library, cannot be suspended or stopped: others wait for it"
                + " to suspend and to resume");
      }
    }
  }

  private static long nanosOf(Duration deadline) {
    requireNonNull(deadline, "deadline");
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("deadline must be positive: " + deadline);
    }
    return Nanos.of(deadline);
  }

  private static Thread[] arrayOf(Collection<Thread> threads, String name) {
    return arrayOf(requireNonNull(threads, name).toArray(new Thread[0]), name);
  }

  /** A copy, so that what is checked stays as it is. */
  private static Thread[] arrayOf(Thread[] threads, String name) {
    return Lists.requireNoneNull(requireNonNull(threads, name).clone(), name);
  }
}
