package io.jvmtools.thread;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.StringJoiner;

/**
 * What a thread is doing, in all the detail the JVM knows: a set of {@link Flag flags} that says
 * more than {@link Thread.State} does.
 *
 * <p>Values are immutable and compare by their flags. A flag that this library does not know is
 * kept, takes part in {@link #equals} and is printed in hexadecimal.
 *
 * <pre>{@code
 * ThreadState state = JvmTools.getThreadState(worker);
 * System.out.println(state);             // alive, waiting, timed, parked
 * state.isParked();                      // true
 * state.toJavaState();                   // TIMED_WAITING
 * }</pre>
 */
public final class ThreadState {

  /** One fact about a thread, under the name the specification gives it. */
  public enum Flag {
    /** The thread has started and has not ended. */
    ALIVE(0x1, "alive"),
    /** The thread has ended. */
    TERMINATED(0x2, "terminated"),
    /** The thread is runnable. */
    RUNNABLE(0x4, "runnable"),
    /** The thread waits to enter a {@code synchronized} block or method. */
    BLOCKED_ON_MONITOR_ENTER(0x400, "blocked on monitor enter"),
    /** The thread waits for another thread to do something. */
    WAITING(0x80, "waiting"),
    /** The thread waits without a time limit. */
    WAITING_INDEFINITELY(0x10, "indefinitely"),
    /** The thread waits with a time limit. */
    WAITING_WITH_TIMEOUT(0x20, "timed"),
    /** The thread is in {@link Thread#sleep(long)}. */
    SLEEPING(0x40, "sleeping"),
    /** The thread is in {@link Object#wait()}. */
    IN_OBJECT_WAIT(0x100, "in Object.wait"),
    /** The thread is in a {@link java.util.concurrent.locks.LockSupport} park method. */
    PARKED(0x200, "parked"),
    /** The thread has been suspended by a tool. */
    SUSPENDED(0x100000, "suspended"),
    /** The thread's interrupt flag is set. */
    INTERRUPTED(0x200000, "interrupted"),
    /** The thread runs native code. HotSpot never sets this flag for some native methods. */
    IN_NATIVE(0x400000, "in native");

    private final int bit;
    private final String words;

    Flag(int bit, String words) {
      this.bit = bit;
      this.words = words;
    }
  }

  private static final Flag[] FLAGS = Flag.values();

  private final int bits;

  private ThreadState(int bits) {
    this.bits = bits;
  }

  /**
   * The state that a {@code jvmtiThreadState} bit mask describes.
   *
   * @param bits the mask, as the specification defines it; unknown bits are kept
   * @return the state
   */
  public static ThreadState of(int bits) {
    return new ThreadState(bits);
  }

  /**
   * The {@code jvmtiThreadState} bit mask, for storage and for bits that have no {@link Flag}.
   *
   * @return the mask as the JVM gave it
   */
  public int bits() {
    return bits;
  }

  /**
   * The facts that are true of the thread.
   *
   * @return an unmodifiable set, empty for a thread that has not started
   */
  public Set<Flag> flags() {
    EnumSet<Flag> set = EnumSet.noneOf(Flag.class);
    for (Flag flag : FLAGS) {
      if (has(flag)) {
        set.add(flag);
      }
    }
    return Collections.unmodifiableSet(set);
  }

  /**
   * Whether a fact is true of the thread.
   *
   * @param flag the fact
   * @return whether it is true
   */
  public boolean has(Flag flag) {
    return (bits & requireNonNull(flag, "flag").bit) != 0;
  }

  /**
   * Whether the thread has not been started.
   *
   * @return whether it is neither alive nor terminated
   */
  public boolean isNew() {
    return !isAlive() && !isTerminated();
  }

  /**
   * Whether the thread has started and has not ended.
   *
   * @return {@link Flag#ALIVE}
   */
  public boolean isAlive() {
    return has(Flag.ALIVE);
  }

  /**
   * Whether the thread has ended.
   *
   * @return {@link Flag#TERMINATED}
   */
  public boolean isTerminated() {
    return has(Flag.TERMINATED);
  }

  /**
   * Whether the thread is runnable. It may still be suspended.
   *
   * @return {@link Flag#RUNNABLE}
   */
  public boolean isRunnable() {
    return has(Flag.RUNNABLE);
  }

  /**
   * Whether the thread waits to enter a {@code synchronized} block or method, or to enter it again
   * after {@link Object#wait()}.
   *
   * @return {@link Flag#BLOCKED_ON_MONITOR_ENTER}
   */
  public boolean isBlockedOnMonitorEnter() {
    return has(Flag.BLOCKED_ON_MONITOR_ENTER);
  }

  /**
   * Whether the thread waits for another thread, with or without a time limit.
   *
   * @return {@link Flag#WAITING}
   */
  public boolean isWaiting() {
    return has(Flag.WAITING);
  }

  /**
   * Whether the thread waits with a time limit.
   *
   * @return {@link Flag#WAITING_WITH_TIMEOUT}
   */
  public boolean isWaitingWithTimeout() {
    return has(Flag.WAITING_WITH_TIMEOUT);
  }

  /**
   * Whether the thread waits without a time limit.
   *
   * @return {@link Flag#WAITING_INDEFINITELY}
   */
  public boolean isWaitingIndefinitely() {
    return has(Flag.WAITING_INDEFINITELY);
  }

  /**
   * Whether the thread is in {@link Thread#sleep(long)}.
   *
   * @return {@link Flag#SLEEPING}
   */
  public boolean isSleeping() {
    return has(Flag.SLEEPING);
  }

  /**
   * Whether the thread is in {@link Object#wait()}.
   *
   * @return {@link Flag#IN_OBJECT_WAIT}
   */
  public boolean isInObjectWait() {
    return has(Flag.IN_OBJECT_WAIT);
  }

  /**
   * Whether the thread is parked, as the locks and queues of {@code java.util.concurrent} do.
   *
   * @return {@link Flag#PARKED}
   */
  public boolean isParked() {
    return has(Flag.PARKED);
  }

  /**
   * Whether a tool has suspended the thread.
   *
   * @return {@link Flag#SUSPENDED}
   */
  public boolean isSuspended() {
    return has(Flag.SUSPENDED);
  }

  /**
   * Whether the thread's interrupt flag is set.
   *
   * @return {@link Flag#INTERRUPTED}
   */
  public boolean isInterrupted() {
    return has(Flag.INTERRUPTED);
  }

  /**
   * Whether the thread is known to run native code.
   *
   * @return {@link Flag#IN_NATIVE}
   */
  public boolean isInNative() {
    return has(Flag.IN_NATIVE);
  }

  /**
   * The state that {@link Thread#getState()} would report, by the conversion of the specification.
   *
   * <p>Where a JVM reports a combination outside that conversion (a parked virtual thread that is
   * suspended is reported as runnable too on JDK 21), what the thread waits for wins.
   *
   * @return the state in the terms of {@code java.lang.Thread}
   */
  public Thread.State toJavaState() {
    if (isTerminated()) {
      return Thread.State.TERMINATED;
    }
    if (!isAlive()) {
      return Thread.State.NEW;
    }
    if (isBlockedOnMonitorEnter()) {
      return Thread.State.BLOCKED;
    }
    if (isWaiting()) {
      return isWaitingWithTimeout() ? Thread.State.TIMED_WAITING : Thread.State.WAITING;
    }
    return Thread.State.RUNNABLE;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ThreadState that && bits == that.bits;
  }

  @Override
  public int hashCode() {
    return bits;
  }

  /**
   * The facts in words, for example {@code "alive, waiting, timed, parked"}; a thread that has not
   * started is {@code "new"}.
   *
   * @return the facts, separated by commas
   */
  @Override
  public String toString() {
    StringJoiner words = new StringJoiner(", ");
    if (isNew()) {
      words.add("new");
    }
    int unknown = bits;
    for (Flag flag : FLAGS) {
      if (has(flag)) {
        words.add(flag.words);
        unknown &= ~flag.bit;
      }
    }
    if (unknown != 0) {
      words.add("0x" + Integer.toHexString(unknown));
    }
    return words.toString();
  }
}
