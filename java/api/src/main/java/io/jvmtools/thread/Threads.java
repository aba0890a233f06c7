package io.jvmtools.thread;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.FrameUnavailableException;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.StalledException;
import io.jvmtools.SuspensionExpiredException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.ThreadSuspendedException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.thread.ThreadFacts;
import io.jvmtools.internal.thread.ThreadGroupNatives;
import io.jvmtools.internal.thread.ThreadNatives;
import io.jvmtools.internal.thread.ThreadReferences;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Threads: which there are, what they do, which monitors they own, how to disturb them, and how to
 * suspend them. Needs no capability unless a method says so.
 */
public final class Threads {

  static {
    Makers.register(
        Threads.class,
        new Maker<Environment, Threads>() {
          @Override
          public Threads make(Environment environment) {
            return new Threads(environment);
          }
        });
  }

  private final Environment environment;

  Threads(Environment environment) {
    this.environment = environment;
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
    Thread[] threads = ThreadNatives.getAllThreads(environment.handle());
    return environment.keep(Arrays.stream(threads).filter(ThreadReferences::isBuilt).toList());
  }

  /**
   * The calling thread, as the JVM knows it.
   *
   * @return the same as {@link Thread#currentThread()}, a virtual thread if it is one
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetCurrentThread")
  public Thread current() {
    return environment.keep(ThreadNatives.getCurrentThread(environment.handle()));
  }

  /**
   * What a thread is doing. Of many threads {@link #states(Collection)} tells it in one call, and
   * for one moment: asked one by one, JDK 25 looks for each among all there are.
   *
   * <p>On JDK 21 the JVM looks at a virtual thread while it is being mounted or unmounted: asked
   * many million times of threads that are busy with that, it has crashed. From JDK 22 to 25 it did
   * so more often, so there another virtual thread is asked at a safepoint, which takes a tenth of
   * a millisecond.
   *
   * @param thread any thread, started or not, alive or not
   * @return its state
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadState")
  public ThreadState state(Thread thread) {
    return environment.keep(
        ThreadState.of(
            ThreadNatives.getThreadState(
                environment.handle(), ThreadReferences.nullIfCurrent(thread))));
  }

  /**
   * What some threads are doing, all of them at one moment: up to 8,000, of more each 8,000.
   *
   * @param threads the threads, virtual ones among them, started or not, alive or not
   * @return an unmodifiable map, in which threads are told apart by what they are and not by {@code
   *     equals}
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadListStackTraces")
  public Map<Thread, ThreadState> states(Collection<Thread> threads) {
    return environment.keep(States.of(environment.handle(), threads));
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
    return environment.keep(
        new ThreadInfo(
            (ThreadFacts)
                ThreadNatives.getThreadInfo(
                    environment.handle(), ThreadReferences.nullIfCurrent(thread))));
  }

  /**
   * Whose a thread is: the program's, the JVM's, or one of this library. A check for threads that
   * were left behind needs no list of names:
   *
   * <pre>{@code
   * Threads threads = jvmti.threads();
   * List<Thread> left = new ArrayList<>(threads.all());
   * left.removeIf(thread -> threads.role(thread) != ThreadRole.PROGRAM);
   * }</pre>
   *
   * <p>The JVM's own are those in a group without a parent, and those that its class library starts
   * in no group of a program's.
   *
   * @param thread any thread; one that has ended is the program's, if its class does not tell
   * @return its role
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction({"GetThreadInfo", "GetTopThreadGroups"})
  public ThreadRole role(Thread thread) {
    long env = environment.handle();
    Thread other = ThreadReferences.nullIfCurrent(thread);
    ThreadFacts facts = (ThreadFacts) ThreadNatives.getThreadInfo(env, other);
    ThreadGroup[] top = ThreadGroupNatives.getTopThreadGroups(env);
    return environment.keep(ThreadRole.of(thread, facts.name(), facts.group(), top));
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
    ThreadNatives.interruptThread(environment.handle(), thread);
    environment.keep();
  }

  /**
   * Makes a thread throw an exception, wherever it is. Needs {@link Capability#CAN_SIGNAL_THREAD}.
   *
   * <p>This does what {@code Thread.stop} did, which from JDK 20 on only throws, and is as
   * dangerous: the exception can come between any two instructions, and what the thread was about
   * to change stays half changed. A thread that waits or sleeps is woken, and its interrupted
   * status is set; one that waits to enter a monitor throws once it has entered, one in native code
   * when it returns, and of one in a listener of an event ({@link io.jvmtools.event.Events}) the
   * listener gets it. The calling thread may name itself.
   *
   * <p>HotSpot crashes if the thread is to leave a frame in another way as well, so that is
   * refused: this of a thread that {@link io.jvmtools.stack.Frames#pop} or {@link
   * io.jvmtools.stack.Frames#forceReturn(Thread)} has told to and that is where it was, and those,
   * until it is seen elsewhere, of one in which something was thrown. It crashes, too, when it
   * collects garbage or looks for variables while the thread is in a handler around code that
   * throws nothing by itself, such as a loop that only counts; {@code Thread.stop} did as much.
   *
   * @param thread a live thread; a virtual one other than the caller must be suspended and mounted
   * @param exception what it shall throw, of any type: also a checked one that its methods do not
   *     declare
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws FrameUnavailableException if the thread is virtual, suspended and not mounted
   * @throws ThreadNotSuspendedException if the thread is virtual and not suspended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the thread is about to leave its frame, or if the environment
   *     is closed
   */
  @JvmtiFunction("StopThread")
  public void stop(Thread thread, Throwable exception) {
    requireNonNull(thread, "thread");
    requireNonNull(exception, "exception");
    Suspensions.requireNotOurs(environment, thread);
    ThreadNatives.stopThread(environment.handle(), thread, exception);
    environment.keep();
  }

  /**
   * The monitors that a thread owns, with the frames that entered them. Needs {@link
   * Capability#CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO}.
   *
   * <p>A monitor that the thread has entered several times is listed once, with the innermost of
   * the frames. One on which the thread is in {@link Object#wait()} is not owned.
   *
   * <p>The JVM lists neither what it has locked itself, as it does with a class loader that is not
   * parallel capable while it asks that for a class, nor what frames below the first 1024 have
   * entered ({@code -XX:MaxJavaStackTraceDepth}). {@link
   * io.jvmtools.objects.LiveObjects#monitorUsage} tells the owner of those, too.
   *
   * <p>Before JDK 23 the JVM does not tell them of a virtual thread other than the calling one: it
   * answers with references that are not the caller's (JDK-8328285). Before JDK 26 it may crash
   * while the virtual thread is mounted or unmounted, so one has to be suspended first, by {@link
   * #withSuspended(Thread, Duration, SuspendedAction)} for example; a dump does that by itself.
   *
   * @param thread a live thread; on the calling one depth 0 is the method that called this one
   * @return an unmodifiable list that keeps the objects alive
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws NotSupportedException if the thread is virtual, not the calling one, and the JVM is
   *     older than JDK 23, or older than JDK 26 and the thread is not suspended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetOwnedMonitorStackDepthInfo")
  public List<OwnedMonitor> ownedMonitors(Thread thread) {
    return Monitors.owned(environment, thread);
  }

  /**
   * The objects whose monitors a thread owns. Needs {@link Capability#CAN_GET_OWNED_MONITOR_INFO}.
   * {@link #ownedMonitors(Thread)} says what is not listed, and what is different before JDK 23.
   *
   * @param thread a live thread
   * @return an unmodifiable list that keeps the objects alive; each of them is there once
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws NotSupportedException if the thread is virtual, not the calling one, and the JVM is
   *     older than JDK 23, or older than JDK 26 and the thread is not suspended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetOwnedMonitorInfo")
  public List<Object> ownedMonitorObjects(Thread thread) {
    Thread other = ThreadReferences.nullIfCurrent(thread);
    return environment.keep(
        List.of(ThreadNatives.getOwnedMonitorInfo(environment.handle(), other)));
  }

  /**
   * The object whose monitor a thread waits to enter, or to enter again after {@link
   * Object#wait()}. Needs {@link Capability#CAN_GET_CURRENT_CONTENDED_MONITOR}.
   *
   * <p>Before JDK 23 a thread that still waits to be notified counts, too. Locks of {@code
   * java.util.concurrent} are no monitors.
   *
   * <p>From JDK 22 to 25 the JVM may crash if it is asked about another virtual thread while that
   * one is mounted or unmounted: it has to be suspended first.
   *
   * @param thread a live thread
   * @return the object, empty if the thread waits for no monitor
   * @throws NotSupportedException if the thread is virtual, not the calling one, and not suspended,
   *     and the JVM one of JDK 22 to 25
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetCurrentContendedMonitor")
  public Optional<Object> contendedMonitor(Thread thread) {
    Thread other = ThreadReferences.nullIfCurrent(thread);
    return environment.keep(
        Optional.ofNullable(ThreadNatives.getCurrentContendedMonitor(environment.handle(), other)));
  }

  /**
   * The number that is kept for a thread. Each environment keeps its own.
   *
   * @param thread a live thread
   * @return what {@link #setLocalStorage(Thread, long)} put there, 0 at first
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadLocalStorage")
  public long localStorage(Thread thread) {
    Thread other = ThreadReferences.nullIfCurrent(thread);
    return environment.keep(ThreadNatives.getThreadLocalStorage(environment.handle(), other));
  }

  /**
   * Keeps a number for a thread until it ends. Closing the environment forgets it, too. Other
   * environments do not see it. A thread of the library that goes on to other work loses its own,
   * as one would that has ended.
   *
   * @param thread a live thread
   * @param value any number, in place of the one that is there
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetThreadLocalStorage")
  public void setLocalStorage(Thread thread, long value) {
    ThreadNatives.setThreadLocalStorage(
        environment.handle(), ThreadReferences.nullIfCurrent(thread), value);
    environment.keep();
  }

  /**
   * Runs code on a thread that has not started: it becomes a daemon thread, with no frame below
   * that of the code, and ends when the code does.
   *
   * <p>What the code throws goes to the {@linkplain Thread#getUncaughtExceptionHandler() uncaught
   * exception handler} of the thread. The {@code run} method of the thread is not called. {@link
   * #all()} lists the thread, {@link Thread#getAllStackTraces()} does not.
   *
   * @param thread a platform thread that was never started
   * @param body what it shall run
   * @param priority from {@link Thread#MIN_PRIORITY} to {@link Thread#MAX_PRIORITY}
   * @throws IllegalArgumentException if there is no such priority
   * @throws NotSupportedException if the thread is virtual
   * @throws JvmtiException with the code 10 if the thread was started before
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("RunAgentThread")
  public void runAgentThread(Thread thread, Runnable body, int priority) {
    requireNonNull(thread, "thread");
    requireNonNull(body, "body");
    if (priority < Thread.MIN_PRIORITY || priority > Thread.MAX_PRIORITY) {
      throw new IllegalArgumentException("priority must be from 1 to 10: " + priority);
    }
    ThreadNatives.runAgentThread(environment.handle(), thread, body, priority);
    environment.keep();
  }

  /**
   * Suspends a thread until it is resumed. Closing the environment does that, too. Needs {@link
   * Capability#CAN_SUSPEND}.
   *
   * <p>Prefer {@link #withSuspended(Thread, Duration, SuspendedAction)}, which resumes also when
   * something goes wrong. A suspended thread keeps its locks, and they can be those of the JDK: a
   * caller that needs one of them waits until another thread resumes the suspended one. A thread in
   * native code stops when it comes back to Java. When the JVM ends, every thread is resumed, and
   * none can be suspended any more; but that is after the shutdown hooks, and whoever suspends the
   * thread that runs or awaits them keeps the JVM from ending.
   *
   * <p>A thread of the library suspends for all others, one call after the other, so that no two
   * can stop each other for ever. To hand it a call costs some ten microseconds: many threads had
   * better be {@linkplain #suspend(Collection) suspended as a list}.
   *
   * <p>A virtual thread can be suspended whether it is mounted or not. One that is mounted keeps
   * its carrier, so that others may lack one. To suspend a carrier does not suspend the virtual
   * thread that is mounted on it. On JDK 21 a thread that is suspended just while it interrupts a
   * virtual one, or asks it for its state, may keep every thread of the JVM from being suspended
   * and resumed from then on (JDK-8311218).
   *
   * @param thread a live thread; the calling one stops inside this method until another thread
   *     resumes it
   * @throws ThreadSuspendedException if the thread is suspended already
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalArgumentException if the thread is one of this library's own
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   * @throws StalledException if the thread of the library that does this does not answer
   */
  @JvmtiFunction("SuspendThread")
  public void suspend(Thread thread) {
    Suspensions.suspend(environment, thread);
  }

  /**
   * Lets a suspended thread go on, whoever has suspended it. Needs {@link Capability#CAN_SUSPEND}.
   *
   * @param thread a live thread, virtual or not
   * @throws ThreadNotSuspendedException if the thread is not suspended
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("ResumeThread")
  public void resume(Thread thread) {
    requireNonNull(thread, "thread");
    ThreadNatives.resumeThread(environment.handle(), thread);
    environment.keep();
  }

  /**
   * Suspends several threads until they are resumed. Closing the environment does that, too. Needs
   * {@link Capability#CAN_SUSPEND}. {@link #suspend(Thread)} says what that means.
   *
   * @param threads the threads, virtual ones too; the calling one, if it is among them, is the last
   *     that is suspended, and this method returns when it has been resumed
   * @return an unmodifiable map with the threads that could not be suspended, in their order, and
   *     the reasons, for example {@code JVMTI_ERROR_THREAD_NOT_ALIVE}; empty if all were
   * @throws IllegalArgumentException if a thread of this library's own is among the threads
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   * @throws StalledException if the thread of the library that does this does not answer, or the
   *     JVM needs more than five seconds for so many: all of them run then
   */
  @JvmtiFunction("SuspendThreadList")
  public Map<Thread, JvmtiError> suspend(Collection<Thread> threads) {
    return Suspensions.suspend(environment, threads);
  }

  /**
   * Lets several suspended threads go on, whoever has suspended them. Needs {@link
   * Capability#CAN_SUSPEND}.
   *
   * @param threads the threads, virtual ones too
   * @return an unmodifiable map with the threads that could not be resumed, in their order, and the
   *     reasons, for example {@code JVMTI_ERROR_THREAD_NOT_SUSPENDED}; empty if all were
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("ResumeThreadList")
  public Map<Thread, JvmtiError> resume(Collection<Thread> threads) {
    return Suspensions.resume(environment, threads);
  }

  /**
   * Suspends all virtual threads, those that start later too, until they are resumed. Closing the
   * environment does that, too. Needs {@link Capability#CAN_SUSPEND} and {@link
   * Capability#CAN_SUPPORT_VIRTUAL_THREADS}, which there is since JDK 21.
   *
   * <p>Platform threads go on, carriers too. A virtual thread that calls this and is not excepted
   * stops inside this method. One that is excepted may wait in vain for a carrier once it has
   * parked: those that are suspended keep theirs, and take others when they are unparked. So call
   * this from a platform thread, if you can.
   *
   * @param except virtual threads that stay as they are, the calling one had better be among them
   * @throws JvmtiException with the code 10 if one of them is not virtual
   * @throws MissingCapabilityException if the environment does not hold the capabilities
   * @throws IllegalStateException if the environment is closed
   * @throws StalledException if the thread of the library that does this does not answer
   */
  @JvmtiFunction("SuspendAllVirtualThreads")
  public void suspendAllVirtual(Thread... except) {
    Suspensions.suspendAllVirtual(environment, except);
  }

  /**
   * Lets all virtual threads go on, whoever has suspended them. Needs {@link
   * Capability#CAN_SUSPEND} and {@link Capability#CAN_SUPPORT_VIRTUAL_THREADS}, which there is
   * since JDK 21.
   *
   * @param except virtual threads that stay as they are
   * @throws JvmtiException with the code 10 if one of them is not virtual
   * @throws MissingCapabilityException if the environment does not hold the capabilities
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("ResumeAllVirtualThreads")
  public void resumeAllVirtual(Thread... except) {
    Suspensions.resumeAllVirtual(environment, except);
  }

  /**
   * Does something while a thread is suspended, and resumes it, whatever happens. Needs {@link
   * Capability#CAN_SUSPEND}.
   *
   * <pre>{@code
   * StackTrace trace = jvmti.threads().withSuspended(worker, Duration.ofSeconds(1),
   *     () -> jvmti.frames().stackTrace(worker));
   * }</pre>
   *
   * <p>If the action takes longer than the deadline, because it waits for a lock that the thread
   * owns, then a native thread, the watchdog, resumes the thread; when the action ends, its result
   * is discarded. The time that it takes to suspend and to resume is part of it: the JVM needs
   * seconds for tens of thousands of virtual threads, and where suspending takes more than a third
   * of the deadline, those that are suspended are resumed, and the action does not begin. A thread
   * that somebody resumes meanwhile, by {@link #resume(Thread)} or another tool, runs from then on,
   * and the action is not told; if it is suspended again, it stays so afterwards.
   *
   * <p>A thread that several calls have suspended for a time runs when the last of them is over. So
   * that it does run, none joins them after the first of their deadlines but one that is over
   * before theirs: any other waits until they are, at most five seconds.
   *
   * @param <T> the type of the result
   * @param thread a live thread other than the calling one, virtual or not
   * @param deadline how long it may be suspended
   * @param action what to do; {@link SuspendedAction} says what it had better leave
   * @return the result of the action
   * @throws SuspensionExpiredException if the deadline passed before the action had ended
   * @throws ThreadSuspendedException if the thread is suspended already, also by such a call of
   *     another thread for a moment; calls with a list of threads share them
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalArgumentException if the deadline is not positive, or the thread is the calling
   *     one or one of this library's own
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   * @throws StalledException if the thread of the library that does this does not answer, or others
   *     keep a thread suspended for longer than five seconds
   */
  @JvmtiFunction({"SuspendThreadList", "ResumeThreadList"})
  @SuppressWarnings("exports") // Nullness annotations are for compilers that know them.
  public <T extends @Nullable Object> T withSuspended(
      Thread thread, Duration deadline, SuspendedAction<T> action) {
    return Suspensions.with(environment, thread, deadline, action);
  }

  /**
   * Does something while several threads are suspended, and resumes them, whatever happens. Needs
   * {@link Capability#CAN_SUSPEND}. {@link #withSuspended(Thread, Duration, SuspendedAction)} says
   * how the deadline works.
   *
   * <p>Threads that have ended are left out, and so are the library's own, which are in every list
   * of all threads. One that was suspended already stays suspended afterwards, as does one that was
   * resumed and suspended again meanwhile.
   *
   * @param <T> the type of the result
   * @param threads at least one, all started, without the calling one, virtual or not
   * @param deadline how long they may be suspended
   * @param action what to do; {@link SuspendedAction} says what it had better leave
   * @return the result of the action
   * @throws SuspensionExpiredException if the deadline passed before the action had ended
   * @throws ThreadNotAliveException if one of the threads has not started
   * @throws IllegalArgumentException if the deadline is not positive, there are no threads, or the
   *     calling one is among them
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   * @throws StalledException if the thread of the library that does this does not answer, or others
   *     keep a thread suspended for longer than five seconds, or there are too many for the
   *     deadline
   */
  @JvmtiFunction({"SuspendThreadList", "ResumeThreadList"})
  @SuppressWarnings("exports") // Nullness annotations are for compilers that know them.
  public <T extends @Nullable Object> T withSuspended(
      Collection<Thread> threads, Duration deadline, SuspendedAction<T> action) {
    return Suspensions.with(environment, threads, deadline, action);
  }

  /**
   * Does something while all other threads are suspended, and resumes them, whatever happens. Needs
   * {@link Capability#CAN_SUSPEND}. {@link #withSuspended(Thread, Duration, SuspendedAction)} says
   * how the deadline works.
   *
   * <p>Only one thread of the JVM can have that at a time, and a dump is one, too: others wait
   * until it is over, at most five seconds in which they are not suspended themselves, and then get
   * a {@link StalledException}; a dump does without, and says so ({@code dumps().take()}).
   *
   * <p>These are all platform threads but the calling one, the library's own two, and those of its
   * others that wait for something to do; with {@link Capability#CAN_SUPPORT_VIRTUAL_THREADS} also
   * the virtual threads that the JDK keeps track of. Threads that start meanwhile run, and so does
   * one of the library's that is given something to do, as a listener to tell. One that was
   * suspended already stays suspended afterwards. The JVM answers signals, SIGTERM among them, and
   * tools that attach once they run again.
   *
   * @param <T> the type of the result
   * @param deadline how long they may be suspended
   * @param action what to do; {@link SuspendedAction} says what it had better leave
   * @return the result of the action
   * @throws SuspensionExpiredException if the deadline passed before the action had ended
   * @throws IllegalArgumentException if the deadline is not positive
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   * @throws StalledException if the thread of the library that does this does not answer, or there
   *     are too many threads for the deadline
   */
  @JvmtiFunction({"SuspendThreadList", "ResumeThreadList"})
  @SuppressWarnings("exports") // Nullness annotations are for compilers that know them.
  public <T extends @Nullable Object> T withOthersSuspended(
      Duration deadline, SuspendedAction<T> action) {
    return Suspensions.withOthers(environment, deadline, action);
  }
}
