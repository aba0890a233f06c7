package io.jvmtools;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The JVM Tool Interface for one answer: static methods with the names of the specification.
 *
 * <pre>{@code
 * ThreadState state = JvmTools.getThreadState(worker);          // "alive, waiting, timed, parked"
 * StackTrace trace = JvmTools.getStackTrace(worker);            // prints like a stack trace
 * long cpu = JvmTools.getThreadCpuTimeNanos(worker);
 *
 * JvmTools.setTag(order, 42);
 * List<Order> found = JvmTools.getObjectsWithTag(42, Order.class);
 * long bytes = JvmTools.getObjectSize(order);
 *
 * System.out.println(JvmTools.capabilities());
 * }</pre>
 *
 * <p>There is nothing to set up. The methods share an environment that is opened by the first call
 * and adds what a method needs when it is first needed; it never takes a capability that only one
 * environment can hold. Tags are shared by everybody who uses this copy of the class: a tool opens
 * an environment of its own with {@link Jvmti#open(Capability...)}.
 *
 * <p>On the calling thread the frames of this library are left out of stacks: depth 0 is the method
 * that called it.
 */
public final class JvmTools {

  private JvmTools() {}

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
   * @throws JvmtiException with the code 13 if the thread is virtual and not suspended
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
   * @throws MissingCapabilityException if the JVM was not started with the agent
   */
  @JvmtiFunction("GetOwnedMonitorStackDepthInfo")
  public static List<OwnedMonitor> getOwnedMonitorStackDepthInfo(Thread thread) {
    requireNonNull(thread, "thread");
    return Monitors.owned(
        DefaultEnvironment.with(Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO), thread);
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

  /**
   * The whole stack of a thread.
   *
   * @param thread a live thread
   * @return its frames, innermost first
   * @throws ThreadNotAliveException if the thread has not started or has ended
   */
  @JvmtiFunction("GetStackTrace")
  public static StackTrace getStackTrace(Thread thread) {
    return Stacks.read(DefaultEnvironment.get(), thread, 0, Stacks.ALL);
  }

  /**
   * A part of the stack of a thread.
   *
   * @param thread a live thread
   * @param start the depth of the first frame, 0 for the innermost
   * @param maxFrames how many frames at most
   * @return the frames, innermost first
   * @throws IllegalArgumentException if {@code start} is negative or {@code maxFrames} not positive
   * @throws FrameUnavailableException if the stack is not as deep as {@code start}
   * @throws ThreadNotAliveException if the thread has not started or has ended
   */
  @JvmtiFunction("GetStackTrace")
  public static StackTrace getStackTrace(Thread thread, int start, int maxFrames) {
    return Stacks.read(DefaultEnvironment.get(), thread, start, maxFrames);
  }

  /**
   * The whole stacks of all live platform threads, in the order in which the JVM lists them.
   *
   * <p>All threads are read at one moment, except that those of more than 512 frames are read once
   * more, a little later.
   *
   * @return an unmodifiable map
   */
  @JvmtiFunction("GetAllStackTraces")
  public static Map<Thread, StackTrace> getAllStackTraces() {
    Map<Thread, StackTrace> traces = new LinkedHashMap<>();
    for (ThreadStack stack : Stacks.all(DefaultEnvironment.get(), Stacks.ALL)) {
      traces.put(stack.thread(), stack.trace());
    }
    return Collections.unmodifiableMap(traces);
  }

  /**
   * The whole stacks of some threads with their states, virtual threads among them. Up to 8,000
   * threads are read at one moment, except that those of more than 512 frames are read once more.
   *
   * @param threads the threads, started or not, alive or not
   * @return an unmodifiable list in the same order; a thread that is not alive has no frames
   */
  @JvmtiFunction("GetThreadListStackTraces")
  public static List<ThreadStack> getThreadListStackTraces(List<Thread> threads) {
    return Stacks.of(DefaultEnvironment.get(), threads, Stacks.ALL);
  }

  /**
   * The inner ends of the stacks of some threads with their states, virtual threads among them.
   * With at most 500 frames and 8,000 threads all are read at one moment.
   *
   * @param threads the threads, started or not, alive or not
   * @param maxFrames how many frames a thread at most
   * @return an unmodifiable list in the same order; a thread that is not alive has no frames
   * @throws IllegalArgumentException if {@code maxFrames} is not positive
   */
  @JvmtiFunction("GetThreadListStackTraces")
  public static List<ThreadStack> getThreadListStackTraces(List<Thread> threads, int maxFrames) {
    return Stacks.of(DefaultEnvironment.get(), threads, maxFrames);
  }

  /**
   * How deep the stack of a thread is.
   *
   * @param thread a live thread
   * @return the number of its frames
   * @throws ThreadNotAliveException if the thread has not started or has ended
   */
  @JvmtiFunction("GetFrameCount")
  public static int getFrameCount(Thread thread) {
    return Stacks.count(DefaultEnvironment.get(), thread);
  }

  /**
   * One frame of a thread.
   *
   * @param thread a live thread
   * @param depth 0 for the innermost frame
   * @return the frame
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep
   * @throws ThreadNotAliveException if the thread has not started or has ended
   */
  @JvmtiFunction("GetFrameLocation")
  public static StackFrame getFrameLocation(Thread thread, int depth) {
    return Stacks.at(DefaultEnvironment.get(), thread, depth);
  }

  /**
   * The CPU time that a thread has used. Adds {@link Capability#CAN_GET_THREAD_CPU_TIME}.
   *
   * @param thread a live platform thread
   * @return the time since the thread started, in nanoseconds
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws NotSupportedException if the thread is virtual and the JVM does not count its time
   */
  @JvmtiFunction("GetThreadCpuTime")
  public static long getThreadCpuTimeNanos(Thread thread) {
    return DefaultEnvironment.with(Capability.CAN_GET_THREAD_CPU_TIME)
        .timers()
        .threadCpuTimeNanos(thread);
  }

  /**
   * The CPU time that the calling thread has used. Adds {@link
   * Capability#CAN_GET_CURRENT_THREAD_CPU_TIME}.
   *
   * @return the time since the thread started, in nanoseconds
   * @throws NotSupportedException if the calling thread is virtual and the JVM does not count its
   *     time
   */
  @JvmtiFunction("GetCurrentThreadCpuTime")
  public static long getCurrentThreadCpuTimeNanos() {
    return DefaultEnvironment.with(Capability.CAN_GET_CURRENT_THREAD_CPU_TIME)
        .timers()
        .currentThreadCpuTimeNanos();
  }

  /**
   * The time of the JVM's own clock: good for differences, like {@link System#nanoTime()}. Any
   * phase.
   *
   * @return nanoseconds since some fixed but arbitrary moment
   */
  @JvmtiFunction("GetTime")
  public static long getTimeNanos() {
    return DefaultEnvironment.get().timers().timeNanos();
  }

  /**
   * What {@link #getTimeNanos()} measures.
   *
   * @return the facts about the timer
   */
  @JvmtiFunction("GetTimerInfo")
  public static TimerInfo getTimerInfo() {
    return DefaultEnvironment.get().timers().timerInfo();
  }

  /**
   * What {@link #getThreadCpuTimeNanos(Thread)} measures. Adds {@link
   * Capability#CAN_GET_THREAD_CPU_TIME}.
   *
   * @return the facts about the timer
   */
  @JvmtiFunction("GetThreadCpuTimerInfo")
  public static TimerInfo getThreadCpuTimerInfo() {
    return DefaultEnvironment.with(Capability.CAN_GET_THREAD_CPU_TIME)
        .timers()
        .threadCpuTimerInfo();
  }

  /**
   * What {@link #getCurrentThreadCpuTimeNanos()} measures. Adds {@link
   * Capability#CAN_GET_CURRENT_THREAD_CPU_TIME}.
   *
   * @return the facts about the timer
   */
  @JvmtiFunction("GetCurrentThreadCpuTimerInfo")
  public static TimerInfo getCurrentThreadCpuTimerInfo() {
    return DefaultEnvironment.with(Capability.CAN_GET_CURRENT_THREAD_CPU_TIME)
        .timers()
        .currentThreadCpuTimerInfo();
  }

  /**
   * How many processors the JVM may use. Any phase.
   *
   * @return their number, at least 1; it can change while the JVM runs
   */
  @JvmtiFunction("GetAvailableProcessors")
  public static int getAvailableProcessors() {
    return DefaultEnvironment.get().timers().availableProcessors();
  }

  /**
   * Puts a tag on an object, in place of one it may have. Adds {@link Capability#CAN_TAG_OBJECTS}.
   * The tag does not keep the object alive; {@link Objects} says what it costs.
   *
   * @param object the object
   * @param tag any number but 0
   * @throws IllegalArgumentException if the tag is 0: see {@link #clearTag(Object)}
   */
  @JvmtiFunction("SetTag")
  public static void setTag(Object object, long tag) {
    DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().setTag(object, tag);
  }

  /**
   * Takes the tag off an object, if it has one. Adds {@link Capability#CAN_TAG_OBJECTS}.
   *
   * @param object the object
   */
  @JvmtiFunction("SetTag")
  public static void clearTag(Object object) {
    DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().clearTag(object);
  }

  /**
   * The tag of an object. Adds {@link Capability#CAN_TAG_OBJECTS}.
   *
   * @param object the object
   * @return its tag, 0 if it has none
   */
  @JvmtiFunction("GetTag")
  public static long getTag(Object object) {
    return DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().tagOrZero(object);
  }

  /**
   * The objects of a type that carry a tag. Adds {@link Capability#CAN_TAG_OBJECTS}. Takes time in
   * proportion to the number of all tagged objects.
   *
   * @param <T> the type
   * @param tag any number but 0
   * @param type the type; objects with the tag that are not instances of it are left out
   * @return the objects in no particular order, in an unmodifiable list that keeps them alive
   * @throws IllegalArgumentException if the tag is 0
   */
  @JvmtiFunction("GetObjectsWithTags")
  public static <T> List<T> getObjectsWithTag(long tag, Class<T> type) {
    return DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().withTag(tag, type);
  }

  /**
   * The objects that carry one of several tags. Adds {@link Capability#CAN_TAG_OBJECTS}. Takes time
   * in proportion to the number of all tagged objects, and of the tags.
   *
   * @param tags any numbers but 0
   * @return the objects with their tags in no particular order, in an unmodifiable list that keeps
   *     them alive
   * @throws IllegalArgumentException if one of the tags is 0
   */
  @JvmtiFunction("GetObjectsWithTags")
  public static List<TaggedObject> getObjectsWithTags(long... tags) {
    return DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().withTags(tags);
  }

  /**
   * The memory that an object takes by itself, without what it refers to.
   *
   * @param object the object
   * @return its size in bytes, header and padding included
   */
  @JvmtiFunction("GetObjectSize")
  public static long getObjectSize(Object object) {
    return DefaultEnvironment.get().objects().size(object);
  }

  /**
   * The hash code that the JVM gives to an object, whatever its class makes of {@link
   * Object#hashCode()}.
   *
   * @param object the object
   * @return the hash code
   */
  @JvmtiFunction("GetObjectHashCode")
  public static int getObjectHashCode(Object object) {
    return DefaultEnvironment.get().objects().identityHash(object);
  }

  /**
   * Who owns the monitor of an object, and who waits for it. Adds {@link
   * Capability#CAN_GET_MONITOR_INFO}.
   *
   * @param object the object
   * @return the threads
   */
  @JvmtiFunction("GetObjectMonitorUsage")
  public static MonitorUsage getObjectMonitorUsage(Object object) {
    return DefaultEnvironment.with(Capability.CAN_GET_MONITOR_INFO).objects().monitorUsage(object);
  }

  /**
   * The phase that the JVM is in. Any phase.
   *
   * @return the phase
   */
  @JvmtiFunction("GetPhase")
  public static Phase getPhase() {
    return DefaultEnvironment.get().phase();
  }

  /**
   * The version of JVM TI that the JVM implements. Any phase.
   *
   * @return the version
   */
  @JvmtiFunction("GetVersionNumber")
  public static JvmtiVersion getVersionNumber() {
    return DefaultEnvironment.get().version();
  }

  /**
   * The name the JVM gives to an error number. Any phase.
   *
   * @param number the number of an error, as {@link JvmtiException#code()} has it
   * @return the name, for example {@code "JVMTI_ERROR_THREAD_NOT_ALIVE"}
   * @throws JvmtiException with the code 103 if the JVM knows no such error
   */
  @JvmtiFunction("GetErrorName")
  public static String getErrorName(int number) {
    return DefaultEnvironment.get().errorName(number);
  }

  /**
   * What the locations of frames count. Any phase.
   *
   * @return the format, {@link LocationFormat#JVMBCI} on HotSpot
   */
  @JvmtiFunction("GetJLocationFormat")
  public static LocationFormat getJLocationFormat() {
    return DefaultEnvironment.get().locationFormat();
  }

  /**
   * Makes the JVM report something on its standard output. Any phase; holds for the whole JVM.
   *
   * @param flag what to report
   */
  @JvmtiFunction("SetVerboseFlag")
  public static void enableVerbose(VerboseFlag flag) {
    DefaultEnvironment.get().enableVerbose(flag);
  }

  /**
   * Makes the JVM report something no longer. Any phase; holds for the whole JVM.
   *
   * @param flag what not to report
   */
  @JvmtiFunction("SetVerboseFlag")
  public static void disableVerbose(VerboseFlag flag) {
    DefaultEnvironment.get().disableVerbose(flag);
  }

  /**
   * Which capabilities the shared environment holds, and which this JVM can still grant.
   *
   * @return a snapshot, which prints as a table
   */
  @JvmtiFunction({"GetCapabilities", "GetPotentialCapabilities"})
  public static Capabilities capabilities() {
    return DefaultEnvironment.get().capabilities();
  }
}
