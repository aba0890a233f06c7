package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.dump.Dumps;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.thread.OwnedMonitor;
import io.jvmtools.thread.SuspendedAction;
import io.jvmtools.thread.ThreadGroupChildren;
import io.jvmtools.thread.ThreadGroupInfo;
import io.jvmtools.thread.ThreadInfo;
import io.jvmtools.thread.ThreadState;
import io.jvmtools.thread.Threads;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Threads and thread groups. A part of {@link JvmTools}. */
abstract sealed class ThreadFunctions extends FrameFunctions permits JvmTools {

  /**
   * What a thread is doing.
   *
   * @param thread any thread, started or not, alive or not
   * @return its state
   */
  @JvmtiFunction("GetThreadState")
  public static ThreadState getThreadState(Thread thread) {
    return DefaultEnvironment.get().threads().state(thread);
  }

  /**
   * Name, priority, daemon status, group and context class loader of a thread.
   *
   * @param thread any thread, started or not, alive or not
   * @return the facts
   */
  @JvmtiFunction("GetThreadInfo")
  public static ThreadInfo getThreadInfo(Thread thread) {
    return DefaultEnvironment.get().threads().info(thread);
  }

  /**
   * The platform threads that are alive, in the order in which the JVM lists them. Virtual threads
   * are not among them.
   *
   * @return an unmodifiable list
   */
  @JvmtiFunction("GetAllThreads")
  public static List<Thread> getAllThreads() {
    return DefaultEnvironment.get().threads().all();
  }

  /**
   * What all threads do: platform threads and the virtual ones that the JDK keeps track of, their
   * stacks, monitors, locks and times, and the deadlocks among them.
   *
   * <p>Adds what can be had of {@link Capability#CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO}, {@link
   * Capability#CAN_GET_CURRENT_CONTENDED_MONITOR} and {@link Capability#CAN_GET_THREAD_CPU_TIME},
   * and holds {@link Capability#CAN_SUSPEND} for the time of the call if nobody else does; the dump
   * says what is missing, and how it can be had. Monitors need the agent at the start of the JVM;
   * local variables are in a dump of {@link Dumps#take()} only.
   *
   * @return the dump; print it, or ask it for its deadlocks
   */
  public static ThreadDump threadDump() {
    return DefaultDump.take();
  }

  /**
   * Interrupts a thread. Adds {@link Capability#CAN_SIGNAL_THREAD}. {@link
   * Threads#interrupt(Thread)} says what it does not do.
   *
   * @param thread a live thread
   * @throws ThreadNotAliveException if the thread has not started or has ended
   */
  @JvmtiFunction("InterruptThread")
  public static void interruptThread(Thread thread) {
    DefaultEnvironment.with(Capability.CAN_SIGNAL_THREAD).threads().interrupt(thread);
  }

  /**
   * Makes a thread throw an exception, wherever it is. Adds {@link Capability#CAN_SIGNAL_THREAD}.
   * {@link Threads#stop(Thread, Throwable)} says why this is dangerous.
   *
   * @param thread a live thread; a virtual one other than the caller must be suspended and mounted
   * @param exception what it shall throw, of any type
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws FrameUnavailableException if the thread is virtual, suspended and not mounted
   * @throws ThreadNotSuspendedException if the thread is virtual and not suspended
   */
  @JvmtiFunction("StopThread")
  public static void stopThread(Thread thread, Throwable exception) {
    DefaultEnvironment.with(Capability.CAN_SIGNAL_THREAD).threads().stop(thread, exception);
  }

  /**
   * The objects whose monitors a thread owns. Adds {@link Capability#CAN_GET_OWNED_MONITOR_INFO}.
   *
   * @param thread a live thread
   * @return an unmodifiable list that keeps the objects alive; each of them is there once
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws NotSupportedException if the thread is virtual, not the calling one, and the JVM is
   *     older than JDK 23; {@link Threads#ownedMonitors(Thread)} says why
   * @throws MissingCapabilityException if the JVM was not started with the agent
   */
  @JvmtiFunction("GetOwnedMonitorInfo")
  public static List<Object> getOwnedMonitorInfo(Thread thread) {
    requireNonNull(thread, "thread");
    return DefaultEnvironment.with(Capability.CAN_GET_OWNED_MONITOR_INFO)
        .threads()
        .ownedMonitorObjects(thread);
  }

  /**
   * The monitors that a thread owns, with the frames that entered them. Adds {@link
   * Capability#CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO}.
   *
   * @param thread a live thread
   * @return an unmodifiable list that keeps the objects alive; a monitor that the thread has
   *     entered several times is there once, with the innermost of the frames
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws NotSupportedException if the thread is virtual, not the calling one, and the JVM is
   *     older than JDK 23; {@link Threads#ownedMonitors(Thread)} says why
   * @throws MissingCapabilityException if the JVM was not started with the agent
   */
  @JvmtiFunction("GetOwnedMonitorStackDepthInfo")
  public static List<OwnedMonitor> getOwnedMonitorStackDepthInfo(Thread thread) {
    requireNonNull(thread, "thread");
    return DefaultEnvironment.with(Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO)
        .threads()
        .ownedMonitors(thread);
  }

  /**
   * The object whose monitor a thread waits to enter, or to enter again after {@link
   * Object#wait()}; before JDK 23 also one that it waits to be notified on. Adds {@link
   * Capability#CAN_GET_CURRENT_CONTENDED_MONITOR}.
   *
   * @param thread a live thread
   * @return the object, empty if the thread waits for no monitor
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the JVM was not started with the agent
   */
  @JvmtiFunction("GetCurrentContendedMonitor")
  public static Optional<Object> getCurrentContendedMonitor(Thread thread) {
    requireNonNull(thread, "thread");
    return DefaultEnvironment.with(Capability.CAN_GET_CURRENT_CONTENDED_MONITOR)
        .threads()
        .contendedMonitor(thread);
  }

  /**
   * The number that is kept for a thread.
   *
   * @param thread a live thread
   * @return what {@link #setThreadLocalStorage(Thread, long)} put there, 0 at first
   * @throws ThreadNotAliveException if the thread has not started or has ended
   */
  @JvmtiFunction("GetThreadLocalStorage")
  public static long getThreadLocalStorage(Thread thread) {
    return DefaultEnvironment.get().threads().localStorage(thread);
  }

  /**
   * Keeps a number for a thread until it ends. Everybody who uses this copy of the class shares it.
   *
   * @param thread a live thread
   * @param value any number, in place of the one that is there
   * @throws ThreadNotAliveException if the thread has not started or has ended
   */
  @JvmtiFunction("SetThreadLocalStorage")
  public static void setThreadLocalStorage(Thread thread, long value) {
    DefaultEnvironment.get().threads().setLocalStorage(thread, value);
  }

  /**
   * The calling thread, as the JVM knows it.
   *
   * @return the same as {@link Thread#currentThread()}, a virtual thread if it is one
   */
  @JvmtiFunction("GetCurrentThread")
  public static Thread getCurrentThread() {
    return DefaultEnvironment.get().threads().current();
  }

  /**
   * Runs code on a thread that has not started. {@link Threads#runAgentThread(Thread, Runnable,
   * int)} says how it differs from {@link Thread#start()}.
   *
   * @param thread a platform thread that was never started
   * @param body what it shall run
   * @param priority from {@link Thread#MIN_PRIORITY} to {@link Thread#MAX_PRIORITY}
   * @throws IllegalArgumentException if there is no such priority
   * @throws NotSupportedException if the thread is virtual
   * @throws JvmtiException with the code 10 if the thread was started before
   */
  @JvmtiFunction("RunAgentThread")
  public static void runAgentThread(Thread thread, Runnable body, int priority) {
    DefaultEnvironment.get().threads().runAgentThread(thread, body, priority);
  }

  /**
   * Suspends a thread until it is resumed. Has {@link Capability#CAN_SUSPEND} while it is inside,
   * and after it as long as the thread is suspended: no other environment can have it meanwhile.
   *
   * <p>{@link Threads#suspend(Thread)} says what that means, and {@link Threads#withSuspended(
   * Thread, java.time.Duration, SuspendedAction)} is a safer way: nothing here ends a suspension
   * that was forgotten.
   *
   * @param thread a live thread, virtual or not; the calling one stops inside this method until
   *     another thread resumes it
   * @throws ThreadSuspendedException if the thread is suspended already
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalArgumentException if the thread is one of this library's own
   * @throws MissingCapabilityException if another environment holds the capability
   * @throws StalledException if the thread of the library that does this does not answer
   */
  @JvmtiFunction("SuspendThread")
  public static void suspendThread(Thread thread) {
    requireNonNull(thread, "thread");
    suspending(Calls.SUSPEND, thread);
  }

  /**
   * Lets a suspended thread go on, whoever has suspended it. Has {@link Capability#CAN_SUSPEND}
   * while it is inside.
   *
   * @param thread a live thread, virtual or not
   * @throws ThreadNotSuspendedException if the thread is not suspended
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if another environment holds the capability
   * @throws StalledException if the thread of the library that does this does not answer
   */
  @JvmtiFunction("ResumeThread")
  public static void resumeThread(Thread thread) {
    requireNonNull(thread, "thread");
    suspending(Calls.RESUME, thread);
  }

  /**
   * Suspends several threads until they are resumed. Has {@link Capability#CAN_SUSPEND} as long as
   * one of them is suspended. {@link Threads#suspend(Thread)} says what that means.
   *
   * @param threads the threads, virtual ones too; the calling one, if it is among them, is the last
   *     that is suspended, and this method returns when it has been resumed
   * @return an unmodifiable map with the threads that could not be suspended, in their order, and
   *     the reasons, for example {@code JVMTI_ERROR_THREAD_NOT_ALIVE}; empty if all were
   * @throws IllegalArgumentException if a thread of this library's own is among the threads
   * @throws MissingCapabilityException if another environment holds the capability
   * @throws StalledException if the thread of the library that does this does not answer
   */
  @JvmtiFunction("SuspendThreadList")
  public static Map<Thread, JvmtiError> suspendThreadList(Collection<Thread> threads) {
    requireNonNull(threads, "threads");
    return suspending(Calls.SUSPEND_LIST, threads);
  }

  /**
   * Lets several suspended threads go on, whoever has suspended them. Has {@link
   * Capability#CAN_SUSPEND} while it is inside.
   *
   * @param threads the threads, virtual ones too
   * @return an unmodifiable map with the threads that could not be resumed, in their order, and the
   *     reasons, for example {@code JVMTI_ERROR_THREAD_NOT_SUSPENDED}; empty if all were
   * @throws MissingCapabilityException if another environment holds the capability
   * @throws StalledException if the thread of the library that does this does not answer
   */
  @JvmtiFunction("ResumeThreadList")
  public static Map<Thread, JvmtiError> resumeThreadList(Collection<Thread> threads) {
    requireNonNull(threads, "threads");
    return suspending(Calls.RESUME_LIST, threads);
  }

  /**
   * Suspends all virtual threads, those that start later too, until they are resumed. Adds {@link
   * Capability#CAN_SUPPORT_VIRTUAL_THREADS}, which there is since JDK 21, and has {@link
   * Capability#CAN_SUSPEND} until they are resumed.
   *
   * @param except virtual threads that stay as they are, the calling one had better be among them
   * @throws JvmtiException with the code 10 if one of them is not virtual
   * @throws MissingCapabilityException before JDK 21, or if another environment holds {@link
   *     Capability#CAN_SUSPEND}
   * @throws StalledException if the thread of the library that does this does not answer
   */
  @JvmtiFunction("SuspendAllVirtualThreads")
  public static void suspendAllVirtualThreads(Thread... except) {
    requireNonNull(except, "except");
    DefaultEnvironment.with(Capability.CAN_SUPPORT_VIRTUAL_THREADS);
    suspending(Calls.SUSPEND_ALL_VIRTUAL, except);
  }

  /**
   * Lets all virtual threads go on, whoever has suspended them. Adds {@link
   * Capability#CAN_SUPPORT_VIRTUAL_THREADS}, which there is since JDK 21, and has {@link
   * Capability#CAN_SUSPEND} while it is inside.
   *
   * @param except virtual threads that stay as they are
   * @throws JvmtiException with the code 10 if one of them is not virtual
   * @throws MissingCapabilityException before JDK 21, or if another environment holds {@link
   *     Capability#CAN_SUSPEND}
   * @throws StalledException if the thread of the library that does this does not answer
   */
  @JvmtiFunction("ResumeAllVirtualThreads")
  public static void resumeAllVirtualThreads(Thread... except) {
    requireNonNull(except, "except");
    DefaultEnvironment.with(Capability.CAN_SUPPORT_VIRTUAL_THREADS);
    suspending(Calls.RESUME_ALL_VIRTUAL, except);
  }

  /**
   * The thread groups that are in no other group.
   *
   * @return an unmodifiable list
   */
  @JvmtiFunction("GetTopThreadGroups")
  public static List<ThreadGroup> getTopThreadGroups() {
    return DefaultEnvironment.get().threadGroups().top();
  }

  /**
   * Name, maximum priority, daemon status and parent of a thread group.
   *
   * @param group any group
   * @return the facts
   */
  @JvmtiFunction("GetThreadGroupInfo")
  public static ThreadGroupInfo getThreadGroupInfo(ThreadGroup group) {
    return DefaultEnvironment.get().threadGroups().info(group);
  }

  /**
   * The live threads and the groups that are directly in a thread group. Virtual threads are not
   * among them.
   *
   * @param group any group
   * @return the threads and the groups, without those of groups further down
   */
  @JvmtiFunction("GetThreadGroupChildren")
  public static ThreadGroupChildren getThreadGroupChildren(ThreadGroup group) {
    return DefaultEnvironment.get().threadGroups().children(group);
  }

  private static <A, R extends @Nullable Object> R suspending(Call<A, R> call, A argument) {
    return DefaultEnvironment.borrowing(Capability.CAN_SUSPEND, new Asked<>(call, argument));
  }

  /** A call of {@link Threads} that needs the capability. */
  private interface Call<A, R extends @Nullable Object> {
    R on(Threads threads, A argument);
  }

  /**
   * Linked by the first of them, which is hardly one that resumes: {@link Suspensions} says why.
   */
  private static final class Calls {
    static final Call<Thread, @Nullable Void> SUSPEND = nothing(Threads::suspend);
    static final Call<Thread, @Nullable Void> RESUME = nothing(Threads::resume);
    static final Call<Collection<Thread>, Map<Thread, JvmtiError>> SUSPEND_LIST = Threads::suspend;
    static final Call<Collection<Thread>, Map<Thread, JvmtiError>> RESUME_LIST = Threads::resume;
    static final Call<Thread[], @Nullable Void> SUSPEND_ALL_VIRTUAL =
        nothing(Threads::suspendAllVirtual);
    static final Call<Thread[], @Nullable Void> RESUME_ALL_VIRTUAL =
        nothing(Threads::resumeAllVirtual);

    private static <A> Call<A, @Nullable Void> nothing(BiConsumer<Threads, A> call) {
      return (threads, argument) -> {
        call.accept(threads, argument);
        return null;
      };
    }
  }

  private record Asked<A, R extends @Nullable Object>(Call<A, R> call, A argument)
      implements Function<Jvmti, R> {
    @Override
    public R apply(Jvmti jvmti) {
      return call.on(jvmti.threads(), argument);
    }
  }
}
