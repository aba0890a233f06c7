package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.CapabilityNatives;
import io.jvmtools.internal.DumpNatives;
import io.jvmtools.internal.Failures;
import io.jvmtools.internal.SuspensionNatives;
import io.jvmtools.internal.ThreadNatives;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private static final long VIRTUAL_THREADS =
      Capability.toBits(Set.of(Capability.CAN_SUPPORT_VIRTUAL_THREADS));

  private static final int NONE = 0;
  private static final int THREAD_NOT_SUSPENDED = 13;
  private static final int THREAD_SUSPENDED = 14;
  private static final int THREAD_NOT_ALIVE = 15;

  static {
    ThreadState.of(0).isTerminated();
    for (int code : new int[] {THREAD_NOT_SUSPENDED, THREAD_SUSPENDED, THREAD_NOT_ALIVE}) {
      refusals(new Thread[] {Thread.currentThread()}, new int[] {code});
      try {
        Failures.raise(code, SUSPEND_THREAD, null, 0);
      } catch (JvmtiException triedOut) {
        // Its classes are there now.
      }
    }
  }

  private Suspensions() {}

  static void suspend(Jvmti jvmti, Thread thread) {
    Thread other = Threads.nullIfCurrent(thread);
    requireNotOurs(jvmti, thread);
    ThreadNatives.suspendThread(jvmti.handle(), other);
    jvmti.keep();
  }

  static Map<Thread, JvmtiError> suspend(Jvmti jvmti, Collection<Thread> threads) {
    Thread[] all = arrayOf(threads, "threads");
    requireNotOurs(jvmti, all);
    int[] codes = ThreadNatives.suspendThreadList(jvmti.handle(), all);
    return jvmti.keep(refusals(all, codes));
  }

  static Map<Thread, JvmtiError> resume(Jvmti jvmti, Collection<Thread> threads) {
    Thread[] all = arrayOf(threads, "threads");
    int[] codes = ThreadNatives.resumeThreadList(jvmti.handle(), all);
    return jvmti.keep(refusals(all, codes));
  }

  static void suspendAllVirtual(Jvmti jvmti, Thread[] except) {
    Thread[] left = arrayOf(except, "except");
    ThreadNatives.suspendAllVirtualThreads(jvmti.handle(), left);
    jvmti.keep();
  }

  static void resumeAllVirtual(Jvmti jvmti, Thread[] except) {
    Thread[] left = arrayOf(except, "except");
    ThreadNatives.resumeAllVirtualThreads(jvmti.handle(), left);
    jvmti.keep();
  }

  static <T extends @Nullable Object, E extends Exception> T with(
      Jvmti jvmti, Thread thread, Duration deadline, SuspendedAction<T, E> action) throws E {
    Thread[] one = {requireNonNull(thread, "thread")};
    long nanos = nanosOf(deadline);
    requireNonNull(action, "action");
    requireOthers(jvmti, one);
    return run(jvmti, one, nanos, LeaveOut.NOBODY, action);
  }

  static <T extends @Nullable Object, E extends Exception> T with(
      Jvmti jvmti, Collection<Thread> threads, Duration deadline, SuspendedAction<T, E> action)
      throws E {
    Thread[] all = arrayOf(threads, "threads");
    long nanos = nanosOf(deadline);
    requireNonNull(action, "action");
    if (all.length == 0) {
      throw new IllegalArgumentException("threads must not be empty");
    }
    requireOthers(jvmti, all);
    return run(jvmti, all, nanos, LeaveOut.ENDED, action);
  }

  static <T extends @Nullable Object, E extends Exception> T withOthers(
      Jvmti jvmti, Duration deadline, SuspendedAction<T, E> action) throws E {
    long nanos = nanosOf(deadline);
    requireNonNull(action, "action");
    return run(jvmti, others(jvmti), nanos, LeaveOut.NOT_ALIVE, action);
  }

  /** Which threads that could not be suspended are no reason not to run the action. */
  private enum LeaveOut {
    NOBODY,
    /** And those that were suspended already. */
    ENDED,
    /** And those that were suspended already. */
    NOT_ALIVE
  }

  private static <T extends @Nullable Object, E extends Exception> T run(
      Jvmti jvmti, Thread[] threads, long nanos, LeaveOut leaveOut, SuspendedAction<T, E> action)
      throws E {
    int[] codes = new int[threads.length];
    Checked<T, E> checked = new Checked<>(jvmti, threads, codes, leaveOut, action);
    Bracketed<T, E> bracketed = new Bracketed<>(checked);
    boolean allOthers = leaveOut == LeaveOut.NOT_ALIVE;
    RuntimeException tooLate = null;
    try {
      if (!SuspensionNatives.whileSuspended(
          jvmti.handle(), threads, nanos, allOthers, codes, bracketed)) {
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
    return jvmti.keep(bracketed.outcome());
  }

  /** An action that runs if all that it needs are suspended. */
  private static final class Checked<T extends @Nullable Object, E extends Exception>
      implements SuspendedAction<T, E> {

    private final Jvmti jvmti;
    private final Thread[] threads;
    private final int[] codes;
    private final LeaveOut leaveOut;
    private final SuspendedAction<T, E> action;
    private boolean acts;

    private Checked(
        Jvmti jvmti,
        Thread[] threads,
        int[] codes,
        LeaveOut leaveOut,
        SuspendedAction<T, E> action) {
      this.jvmti = jvmti;
      this.threads = threads;
      this.codes = codes;
      this.leaveOut = leaveOut;
      this.action = action;
    }

    @Override
    public T run() throws E {
      requireSuspended(jvmti, threads, codes, leaveOut);
      acts = true;
      return action.run();
    }
  }

  private static void requireSuspended(
      Jvmti jvmti, Thread[] threads, int[] codes, LeaveOut leaveOut) {
    for (int i = 0; i < threads.length; i++) {
      boolean fine =
          switch (codes[i]) {
            case NONE -> true;
            case THREAD_SUSPENDED -> leaveOut != LeaveOut.NOBODY;
            case THREAD_NOT_ALIVE ->
                leaveOut == LeaveOut.NOT_ALIVE
                    || (leaveOut == LeaveOut.ENDED && hasEnded(jvmti, threads[i]));
            default -> false;
          };
      if (!fine) {
        Failures.raise(codes[i], SUSPEND_THREAD, null, jvmti.handle());
      }
    }
  }

  private static boolean hasEnded(Jvmti jvmti, Thread thread) {
    int bits = ThreadNatives.getThreadState(jvmti.handle(), thread);
    return ThreadState.of(bits).isTerminated();
  }

  /**
   * All platform threads but the calling one and our own, and the virtual ones if the environment
   * may.
   */
  private static Thread[] others(Jvmti jvmti) {
    Thread[] ours = SuspensionNatives.ownThreads(jvmti.handle());
    List<Thread> others = new ArrayList<>();
    add(others, ThreadNatives.getAllThreads(jvmti.handle()), ours);
    if ((CapabilityNatives.getCapabilities(jvmti.handle()) & VIRTUAL_THREADS) != 0) {
      add(others, DumpNatives.virtualThreads(jvmti.handle()), ours);
    }
    return others.toArray(new Thread[0]);
  }

  private static void add(List<Thread> others, Thread[] threads, Thread[] ours) {
    for (Thread thread : threads) {
      if (thread != Thread.currentThread() && !isAmong(thread, ours) && Threads.isBuilt(thread)) {
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

  private static void requireOthers(Jvmti jvmti, Thread[] threads) {
    for (Thread thread : threads) {
      if (thread == Thread.currentThread()) {
        throw new IllegalArgumentException("the calling thread cannot suspend itself for a time");
      }
    }
    requireNotOurs(jvmti, threads);
  }

  /** Refuses the library's own threads. */
  static void requireNotOurs(Jvmti jvmti, Thread... threads) {
    Thread[] ours = SuspensionNatives.ownThreads(jvmti.handle());
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
    try {
      return deadline.toNanos();
    } catch (ArithmeticException longerThanAnyJvmRuns) {
      return Long.MAX_VALUE;
    }
  }

  private static Thread[] arrayOf(Collection<Thread> threads, String name) {
    return arrayOf(requireNonNull(threads, name).toArray(new Thread[0]), name);
  }

  /** A copy, so that what is checked stays as it is. */
  private static Thread[] arrayOf(Thread[] threads, String name) {
    Thread[] copy = requireNonNull(threads, name).clone();
    for (Thread thread : copy) {
      requireNonNull(thread, name);
    }
    return copy;
  }
}
