package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.ThreadFacts;
import io.jvmtools.internal.ThreadNatives;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Threads: which there are, what they do, which monitors they own, and how to disturb them. Needs
 * no capability unless a method says so.
 */
public final class Threads {

  private final Jvmti jvmti;

  Threads(Jvmti jvmti) {
    this.jvmti = jvmti;
  }

  /**
   * The platform threads that are alive, in the order in which the JVM lists them. Virtual threads
   * are not among them, threads that a tool attached are.
   *
   * @return an unmodifiable list
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetAllThreads")
  public List<Thread> all() {
    Thread[] threads = ThreadNatives.getAllThreads(jvmti.handle());
    return jvmti.keep(Arrays.stream(threads).filter(Threads::isBuilt).toList());
  }

  /**
   * Whether a thread object can be used. A native thread that is attaching is in the JVM's list
   * before the constructor of its object has run, and then even printing it fails.
   */
  static boolean isBuilt(Thread thread) {
    try {
      return thread.getName() != null && thread.getPriority() > 0;
    } catch (NullPointerException unfinished) {
      return false;
    }
  }

  /**
   * What a thread is doing.
   *
   * @param thread any thread, started or not, alive or not
   * @return its state
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadState")
  public ThreadState state(Thread thread) {
    return jvmti.keep(
        ThreadState.of(ThreadNatives.getThreadState(jvmti.handle(), nullIfCurrent(thread))));
  }

  /**
   * Name, priority, daemon status, group and context class loader of a thread.
   *
   * @param thread any thread, started or not, alive or not
   * @return the facts
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadInfo")
  public ThreadInfo info(Thread thread) {
    return jvmti.keep(
        new ThreadInfo(
            (ThreadFacts) ThreadNatives.getThreadInfo(jvmti.handle(), nullIfCurrent(thread))));
  }

  /**
   * Interrupts a thread, without asking it: {@link Thread#interrupt()} without the check of a
   * security manager. Needs {@link Capability#CAN_SIGNAL_THREAD}.
   *
   * <p>A platform thread that is blocked in a channel or a selector gets its interrupted status,
   * but the JVM does not close the channel or wake the selector.
   *
   * @param thread a live thread
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("InterruptThread")
  public void interrupt(Thread thread) {
    requireNonNull(thread, "thread");
    ThreadNatives.interruptThread(jvmti.handle(), thread);
    jvmti.keep();
  }

  /**
   * Makes a thread throw an exception, wherever it is. Needs {@link Capability#CAN_SIGNAL_THREAD}.
   *
   * <p>This does what {@code Thread.stop} did, and is as dangerous: the exception can come between
   * any two instructions, and what the thread was about to change stays half changed. A thread that
   * waits or sleeps is woken; one in native code throws when it returns. The calling thread may
   * name itself.
   *
   * @param thread a live thread; a virtual one other than the caller must be suspended and mounted
   * @param exception what it shall throw, of any type: also a checked one that its methods do not
   *     declare
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws FrameUnavailableException if the thread is virtual, suspended and not mounted
   * @throws JvmtiException with the code 13 if the thread is virtual and not suspended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("StopThread")
  public void stop(Thread thread, Throwable exception) {
    requireNonNull(thread, "thread");
    requireNonNull(exception, "exception");
    ThreadNatives.stopThread(jvmti.handle(), thread, exception);
    jvmti.keep();
  }

  /**
   * The monitors that a thread owns, with the frames that entered them. Needs {@link
   * Capability#CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO}.
   *
   * <p>A monitor that the thread has entered several times is listed once, with the innermost of
   * the frames. One on which the thread is in {@link Object#wait()} is not owned.
   *
   * @param thread a live thread; on the calling one depth 0 is the method that called this one
   * @return an unmodifiable list that keeps the objects alive
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetOwnedMonitorStackDepthInfo")
  public List<OwnedMonitor> ownedMonitors(Thread thread) {
    return Monitors.owned(jvmti, thread);
  }

  /**
   * The objects whose monitors a thread owns. Needs {@link Capability#CAN_GET_OWNED_MONITOR_INFO}.
   *
   * @param thread a live thread
   * @return an unmodifiable list that keeps the objects alive; each of them is there once
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetOwnedMonitorInfo")
  public List<Object> ownedMonitorObjects(Thread thread) {
    Thread other = nullIfCurrent(thread);
    return jvmti.keep(List.of(ThreadNatives.getOwnedMonitorInfo(jvmti.handle(), other)));
  }

  /**
   * The object whose monitor a thread waits to enter, or to enter again after {@link
   * Object#wait()}. Needs {@link Capability#CAN_GET_CURRENT_CONTENDED_MONITOR}.
   *
   * <p>Before JDK 23 a thread that still waits to be notified counts, too. Locks of {@code
   * java.util.concurrent} are no monitors.
   *
   * @param thread a live thread
   * @return the object, empty if the thread waits for no monitor
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetCurrentContendedMonitor")
  public Optional<Object> contendedMonitor(Thread thread) {
    Thread other = nullIfCurrent(thread);
    return jvmti.keep(
        Optional.ofNullable(ThreadNatives.getCurrentContendedMonitor(jvmti.handle(), other)));
  }

  /**
   * The number that this environment keeps for a thread.
   *
   * @param thread a live thread
   * @return what {@link #setLocalStorage(Thread, long)} put there, 0 at first
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadLocalStorage")
  public long localStorage(Thread thread) {
    Thread other = nullIfCurrent(thread);
    return jvmti.keep(ThreadNatives.getThreadLocalStorage(jvmti.handle(), other));
  }

  /**
   * Keeps a number for a thread, until the thread or the environment ends. Other environments do
   * not see it.
   *
   * @param thread a live thread
   * @param value any number, in place of the one that is there
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetThreadLocalStorage")
  public void setLocalStorage(Thread thread, long value) {
    ThreadNatives.setThreadLocalStorage(jvmti.handle(), nullIfCurrent(thread), value);
    jvmti.keep();
  }

  /** The JVM finds the current thread faster if it is not named. */
  static @Nullable Thread nullIfCurrent(Thread thread) {
    return requireNonNull(thread, "thread") == Thread.currentThread() ? null : thread;
  }
}
