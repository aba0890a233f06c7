package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.code.Breakpoints;
import io.jvmtools.code.Bytecodes;
import io.jvmtools.code.ClassSignature;
import io.jvmtools.code.ClassStatus;
import io.jvmtools.code.ClassVersion;
import io.jvmtools.code.Classes;
import io.jvmtools.code.CodeRange;
import io.jvmtools.code.ConstantPool;
import io.jvmtools.code.Fields;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.code.LineNumber;
import io.jvmtools.code.Methods;
import io.jvmtools.code.Modules;
import io.jvmtools.code.Watches;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.Dumps;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventType;
import io.jvmtools.event.Events;
import io.jvmtools.event.Profiles;
import io.jvmtools.internal.system.TimerNatives;
import io.jvmtools.internal.thread.ThreadMap;
import io.jvmtools.internal.thread.ThreadReferences;
import io.jvmtools.objects.LiveObjects;
import io.jvmtools.objects.MonitorUsage;
import io.jvmtools.objects.RawMonitor;
import io.jvmtools.objects.RawMonitors;
import io.jvmtools.objects.TaggedObject;
import io.jvmtools.snapshot.Snapshots;
import io.jvmtools.stack.Frames;
import io.jvmtools.stack.Locals;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.stack.ThreadStack;
import io.jvmtools.system.ExtensionEvent;
import io.jvmtools.system.ExtensionFunction;
import io.jvmtools.system.Extensions;
import io.jvmtools.system.JniCallCounter;
import io.jvmtools.system.JniFunction;
import io.jvmtools.system.JniFunctions;
import io.jvmtools.system.Memory;
import io.jvmtools.system.SystemAccess;
import io.jvmtools.system.TimerInfo;
import io.jvmtools.system.Timers;
import io.jvmtools.thread.OwnedMonitor;
import io.jvmtools.thread.SuspendedAction;
import io.jvmtools.thread.ThreadGroupChildren;
import io.jvmtools.thread.ThreadGroupInfo;
import io.jvmtools.thread.ThreadGroups;
import io.jvmtools.thread.ThreadInfo;
import io.jvmtools.thread.ThreadState;
import io.jvmtools.thread.Threads;
import java.lang.instrument.ClassFileTransformer;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

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
 * and adds what a method needs when it is first needed; a capability that only one environment can
 * hold it has only while a call that needs it is inside, or as long as threads are suspended that
 * it has suspended. Tags are shared by everybody who uses this copy of the class: a tool opens an
 * environment of its own with {@link Jvmti#open(Capability...)}.
 *
 * <p>How do I …
 *
 * <ul>
 *   <li>see why an application stands still? {@code System.out.println(}{@link #threadDump()}{@code
 *       )}; only its deadlocks: {@link ThreadDump#deadlocks()}
 *   <li>dump some threads only, less deep, without stopping them? {@link #threadDump(DumpOptions)};
 *       for a machine: {@link ThreadDump#writeJson(Appendable)}
 *   <li>sample many stacks at one moment? {@link #getAllStackTraces}, or of some threads {@link
 *       #getThreadListStackTraces(List, int)}
 *   <li>know of many threads what they do, how long they have run, or whose they are? {@link
 *       Threads#states}, {@link Timers#threadCpuTimes}, {@link Threads#role(Thread)}
 *   <li>find who has an object locked, and who wants it? {@link #getObjectMonitorUsage}
 *   <li>let a thread stand still while I look at it? {@link Threads#withSuspended(Thread,
 *       java.time.Duration, SuspendedAction)} of an environment, which resumes it whatever happens
 *   <li>read the variables of a method that runs, or give them other values? {@link
 *       Locals#all(StackFrame)} and {@link Locals#set(StackFrame, String, Object)} of an
 *       environment
 *   <li>have a method called again, or return at once? {@link Frames#pop(Thread)}, {@link
 *       Frames#forceReturn(Thread)} of an environment
 *   <li>have a class do something else from now on? {@link #redefineClass}, {@link
 *       #retransformClasses(ClassFileTransformer, Class...)}
 *   <li>change classes as they are loaded? {@link Events#answer} of an environment
 *   <li>be told of what happens, count where it happens, or see what variables hold there? {@link
 *       Events}, {@link Profiles}, {@link Snapshots} of an environment
 *   <li>find objects again, without keeping them? {@link #setTag}, {@link #getObjectsWithTag}
 *   <li>know how much memory one object takes? {@link #getObjectSize}
 *   <li>look into a JVM that runs already? {@link Agent#attach}
 *   <li>know what this JVM cannot do, and what to add? {@link #capabilities()}
 * </ul>
 *
 * <p>All of them, by subject:
 *
 * <ul>
 *   <li>What threads do: {@link #getThreadState}, {@link #getThreadInfo}, {@link #getAllThreads},
 *       {@link #getCurrentThread}, {@link #getThreadCpuTimeNanos}, {@link
 *       #getCurrentThreadCpuTimeNanos}, {@link #threadDump}
 *   <li>Stacks: {@link #getStackTrace(Thread)}, {@link #getAllStackTraces}, {@link
 *       #getThreadListStackTraces(List)}, {@link #getFrameCount}, {@link #getFrameLocation}
 *   <li>Monitors: {@link #getOwnedMonitorInfo}, {@link #getOwnedMonitorStackDepthInfo}, {@link
 *       #getCurrentContendedMonitor}, {@link #getObjectMonitorUsage}
 *   <li>Suspending, interrupting, stopping: {@link #suspendThread}, {@link #resumeThread}, {@link
 *       #suspendThreadList}, {@link #resumeThreadList}, {@link #suspendAllVirtualThreads}, {@link
 *       #resumeAllVirtualThreads}, {@link #interruptThread}, {@link #stopThread}
 *   <li>Thread groups, and a number for each thread: {@link #getTopThreadGroups}, {@link
 *       #getThreadGroupInfo}, {@link #getThreadGroupChildren}, {@link #getThreadLocalStorage},
 *       {@link #setThreadLocalStorage}, {@link #runAgentThread}
 *   <li>Objects and tags: {@link #getObjectSize}, {@link #getObjectHashCode}, {@link #setTag},
 *       {@link #clearTag}, {@link #getTag}, {@link #getObjectsWithTag}, {@link #getObjectsWithTags}
 *   <li>Classes: {@link #getLoadedClasses}, {@link #getClassSignature}, {@link #getClassStatus},
 *       {@link #getClassVersionNumbers}, {@link #getSourceFileName}, {@link
 *       #getImplementedInterfaces}, {@link #getSourceDebugExtension}, {@link #isModifiableClass},
 *       {@link #getClassLoaderClasses}, {@link #getBootstrapLoaderClasses}, {@link
 *       #getClassMethods}, {@link #getClassFields}, {@link #getConstantPool}
 *   <li>Other class files for classes that are loaded: {@link #redefineClass}, {@link
 *       #redefineClasses}, {@link #retransformClasses(Class...)}, {@link
 *       #retransformClasses(ClassFileTransformer, Class...)}
 *   <li>Methods and fields: {@link #getBytecodes}, {@link #getLineNumberTable}, {@link
 *       #getMethodLocation}, {@link #getMaxLocals}, {@link #getArgumentsSize}, {@link
 *       #isMethodSynthetic}, {@link #isMethodObsolete}, {@link #isFieldSynthetic}
 *   <li>Modules, named or not; what is added to one stays: {@link #getAllModules}, {@link
 *       #getNamedModule}, {@link #getBootstrapLoaderModule}, {@link #addModuleReads}, {@link
 *       #addModuleExports}, {@link #addModuleOpens}, {@link #addModuleUses}, {@link
 *       #addModuleProvides}, {@link #isModifiableModule}
 *   <li>Time: {@link #getTimeNanos}, {@link #getTimerInfo}, {@link #getThreadCpuTimerInfo}, {@link
 *       #getCurrentThreadCpuTimerInfo}, {@link #getAvailableProcessors}
 *   <li>Properties, memory, and where class loaders look: {@link #allocate}, {@link
 *       #getSystemProperties}, {@link #getSystemProperty}, {@link
 *       #addToBootstrapClassLoaderSearch}, {@link #addToSystemClassLoaderSearch}
 *   <li>JNI, and how often it is called: {@link #getJNIFunctionTable}, {@link #countJniCalls}
 *   <li>The JVM: {@link #getExtensionFunctions}, {@link #getExtensionEvents}, {@link #getPhase},
 *       {@link #getVersionNumber}, {@link #getErrorName}, {@link #getJLocationFormat}, {@link
 *       #enableVerbose}, {@link #disableVerbose}, {@link #capabilities}
 * </ul>
 *
 * <p>Each leads to the method of an environment that says more.
 *
 * <p>Only an environment of one's own, {@link Jvmti#open(Capability...)}, has these:
 *
 * <ul>
 *   <li>Threads that stand still while something is done: {@link Threads#withSuspended(Thread,
 *       java.time.Duration, SuspendedAction)}, {@link Threads#withOthersSuspended}; of many threads
 *       at once {@link Threads#states}, {@link Timers#threadCpuTimes}; which are the JVM's own
 *       {@link Threads#role}
 *   <li>Variables of frames: {@link Locals#all(StackFrame)}, {@link Locals#set}, {@link
 *       Locals#setNull}, {@link Locals#instance}, which there are {@link Locals#table}; by slot
 *       {@link Locals#objectAt}, {@link Locals#intAt}, {@link Locals#longAt}, {@link
 *       Locals#floatAt}, {@link Locals#doubleAt}, {@link Locals#setObjectAt}, {@link
 *       Locals#setNullAt}, {@link Locals#setIntAt}, {@link Locals#setLongAt}, {@link
 *       Locals#setFloatAt}, {@link Locals#setDoubleAt}
 *   <li>Leaving frames: {@link Frames#pop}, {@link Frames#forceReturn(Thread)}, {@link
 *       Frames#forceReturnNull}, {@link Frames#notifyPop}, {@link Frames#clearPops}
 *   <li>Breakpoints, and fields that are watched: {@link Breakpoints#set}, {@link
 *       Breakpoints#clear}, {@link Breakpoints#all}, {@link Watches#setReads}, {@link
 *       Watches#clearReads}, {@link Watches#allReads}, {@link Watches#setWrites}, {@link
 *       Watches#clearWrites}, {@link Watches#allWrites}
 *   <li>Events, told to listeners as they happen: {@link Events#on(EventType, Consumer)}; who
 *       changes class files as they are loaded, or what native methods are bound to {@link
 *       Events#answer}; {@link Events#flush}, {@link Events#generate}
 *   <li>Events that are counted by where they happen: {@link Profiles#allocations(int)}, {@link
 *       Profiles#contention()}, {@link Profiles#exceptions()}, {@link Profiles#methodEntries()},
 *       {@link Profiles#setHeapSamplingInterval}
 *   <li>What variables hold where a thread comes by: {@link Snapshots#at(CodePlace)}, {@link
 *       Snapshots#at(String, int)}, {@link Snapshots#at(String, String)}, {@link
 *       Snapshots#onException}, {@link Snapshots#onExceptionsIn}, {@link Events#at}, {@link
 *       Events#frame}
 *   <li>Raw monitors: {@link RawMonitors#create}, {@link RawMonitor#hold(Supplier)}, {@link
 *       RawMonitor#await}, {@link RawMonitor#signal}, {@link RawMonitor#signalAll}, {@link
 *       RawMonitor#close}
 *   <li>What reflection says, asked of the JVM: {@link Classes#modifiers}, {@link Classes#loader},
 *       {@link Classes#isInterface}, {@link Classes#isArray}, {@link Methods#modifiers}, {@link
 *       Methods#signature}, {@link Methods#declaringClass}, {@link Methods#isNative}, {@link
 *       Fields#modifiers}, {@link Fields#signature}, {@link Fields#declaringClass}
 *   <li>Prefixes for native methods: {@link Methods#setNativePrefix}, {@link
 *       Methods#setNativePrefixes}, {@link Methods#clearNativePrefixes}
 *   <li>The JVM: {@link Extensions#virtualThread}, {@link Extensions#carrierThread}, {@link
 *       Extensions#isClassUnloadingEnabled}, {@link SystemAccess#propertyNames}, {@link
 *       JniFunctions#countAll}, {@link Memory#allocated}
 *   <li>Itself: {@link Jvmti#add}, {@link Jvmti#relinquish}, {@link Jvmti#localStorage}, {@link
 *       Jvmti#setLocalStorage}, {@link Jvmti#close}
 * </ul>
 *
 * <p>And of the library in this JVM or another one: {@link Agent#attach}, {@link Agent#attachSelf},
 * {@link Agent#origin}, {@link Agent#libraryPath}, and what happened before the JVM was ready,
 * {@link Agent#earlyEvents}.
 *
 * <p>On the calling thread the frames of this library are left out of stacks: depth 0 is the method
 * that called it.
 */
public final class JvmTools {

  private JvmTools() {}

  // What threads do

  /**
   * What a thread is doing.
   *
   * @param thread any thread, started or not, alive or not
   * @return its state
   * @see Threads#state(Thread)
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
   * @see Threads#info(Thread)
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
   * @see Threads#all()
   */
  @JvmtiFunction("GetAllThreads")
  public static List<Thread> getAllThreads() {
    return DefaultEnvironment.get().threads().all();
  }

  /**
   * The calling thread, as the JVM knows it.
   *
   * @return the same as {@link Thread#currentThread()}, a virtual thread if it is one
   * @see Threads#current()
   */
  @JvmtiFunction("GetCurrentThread")
  public static Thread getCurrentThread() {
    return DefaultEnvironment.get().threads().current();
  }

  /**
   * The CPU time that a thread has used. Adds {@link Capability#CAN_GET_THREAD_CPU_TIME}.
   *
   * @param thread a live platform thread
   * @return the time since the thread started, in nanoseconds
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws NotSupportedException if the thread is virtual and the JVM does not count its time
   * @see Timers#threadCpuTime(Thread)
   */
  @JvmtiFunction("GetThreadCpuTime")
  public static long getThreadCpuTimeNanos(Thread thread) {
    Thread other = ThreadReferences.nullIfCurrent(thread);
    Jvmti jvmti = DefaultEnvironment.with(Capability.CAN_GET_THREAD_CPU_TIME);
    return TimerNatives.getThreadCpuTime(jvmti.handle(), other);
  }

  /**
   * The CPU time that the calling thread has used. Adds {@link
   * Capability#CAN_GET_CURRENT_THREAD_CPU_TIME}.
   *
   * @return the time since the thread started, in nanoseconds
   * @throws NotSupportedException if the calling thread is virtual and the JVM does not count its
   *     time
   * @see Timers#currentThreadCpuTime()
   */
  @JvmtiFunction("GetCurrentThreadCpuTime")
  public static long getCurrentThreadCpuTimeNanos() {
    Jvmti jvmti = DefaultEnvironment.with(Capability.CAN_GET_CURRENT_THREAD_CPU_TIME);
    return TimerNatives.getCurrentThreadCpuTime(jvmti.handle());
  }

  /**
   * What all threads do: platform threads and the virtual ones that the JDK keeps track of, their
   * stacks, monitors, locks and times, and the deadlocks among them.
   *
   * <p>Adds what can be had of {@link Capability#CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO}, {@link
   * Capability#CAN_GET_CURRENT_CONTENDED_MONITOR} and {@link Capability#CAN_GET_THREAD_CPU_TIME},
   * and holds {@link Capability#CAN_SUSPEND} for the time of the call if nobody keeps it; the dump
   * says what is missing, and how it can be had. Monitors need the agent at the start of the JVM;
   * local variables are in a dump of {@link Dumps#take()} only.
   *
   * @return the dump; print it, or ask it for its deadlocks
   * @throws WrongPhaseException if the JVM has ended, as a daemon thread may see
   * @throws StalledException if it is the first and the thread of the library that makes ready what
   *     reads names and lines does not answer, as when another tool has suspended it
   * @see Dumps#take()
   */
  public static ThreadDump threadDump() {
    return DefaultDump.take(DumpOptions.defaults());
  }

  /**
   * What threads do, as {@link #threadDump()} tells, but as the options say: some threads only,
   * fewer frames, without suspension.
   *
   * @param options what to ask for, and how far
   * @return the dump
   * @throws WrongPhaseException if the JVM has ended, as a daemon thread may see
   * @throws StalledException if it is the first and the thread of the library that makes ready what
   *     reads names and lines does not answer, as when another tool has suspended it
   * @see Dumps#take(DumpOptions)
   */
  public static ThreadDump threadDump(DumpOptions options) {
    return DefaultDump.take(requireNonNull(options, "options"));
  }

  // Stacks

  /**
   * The whole stack of a thread.
   *
   * @param thread a live thread
   * @return its frames, innermost first
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @see Frames#stackTrace(Thread)
   */
  @JvmtiFunction("GetStackTrace")
  public static StackTrace getStackTrace(Thread thread) {
    return DefaultEnvironment.get().frames().stackTrace(thread);
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
   * @see Frames#stackTrace(Thread, int, int)
   */
  @JvmtiFunction("GetStackTrace")
  public static StackTrace getStackTrace(Thread thread, int start, int maxFrames) {
    return DefaultEnvironment.get().frames().stackTrace(thread, start, maxFrames);
  }

  /**
   * The whole stacks of all live platform threads, in the order in which the JVM lists them.
   *
   * <p>All threads are read at one moment, except that those of 512 frames or more are read once
   * more, a few at a time, a little later, and left out if they have ended by then. Of a thread
   * that carries virtual ones and changes to another one just then the JVM tells no frames here,
   * but it does in a list of threads.
   *
   * @return an unmodifiable map
   * @see Frames#allStackTraces()
   */
  @JvmtiFunction("GetAllStackTraces")
  public static Map<Thread, StackTrace> getAllStackTraces() {
    Map<Thread, StackTrace> traces = new ThreadMap<>();
    for (ThreadStack stack : DefaultEnvironment.get().frames().allStackTraces()) {
      traces.put(stack.thread(), stack.trace());
    }
    return Collections.unmodifiableMap(traces);
  }

  /**
   * The inner ends of the stacks of all live platform threads, in the order in which the JVM lists
   * them. With at most 500 frames all threads are read at one moment.
   *
   * <p>Their states at that moment are told too. What is said of threads that carry virtual ones,
   * where all frames are asked for, holds here, too.
   *
   * @param maxFrames how many frames a thread at most
   * @return an unmodifiable list
   * @throws IllegalArgumentException if {@code maxFrames} is not positive
   * @see Frames#allStackTraces(int)
   */
  @JvmtiFunction("GetAllStackTraces")
  public static List<ThreadStack> getAllStackTraces(int maxFrames) {
    return DefaultEnvironment.get().frames().allStackTraces(maxFrames);
  }

  /**
   * The whole stacks of some threads, virtual ones among them. Up to 8,000 threads are read at one
   * moment, except that those of 512 frames or more are read once more, a few at a time.
   *
   * @param threads the threads, started or not, alive or not
   * @return an unmodifiable list in the same order; a thread that is not alive has no frames
   * @see Frames#stackTraces(List)
   */
  @JvmtiFunction("GetThreadListStackTraces")
  public static List<ThreadStack> getThreadListStackTraces(List<Thread> threads) {
    return DefaultEnvironment.get().frames().stackTraces(threads);
  }

  /**
   * The inner ends of the stacks of some threads, virtual ones among them. With at most 500 frames
   * and 8,000 threads all are read at one moment.
   *
   * @param threads the threads, started or not, alive or not
   * @param maxFrames how many frames a thread at most
   * @return an unmodifiable list in the same order; a thread that is not alive has no frames
   * @throws IllegalArgumentException if {@code maxFrames} is not positive
   * @see Frames#stackTraces(List, int)
   */
  @JvmtiFunction("GetThreadListStackTraces")
  public static List<ThreadStack> getThreadListStackTraces(List<Thread> threads, int maxFrames) {
    return DefaultEnvironment.get().frames().stackTraces(threads, maxFrames);
  }

  /**
   * How deep the stack of a thread is.
   *
   * @param thread a live thread
   * @return the number of its frames
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @see Frames#count(Thread)
   */
  @JvmtiFunction("GetFrameCount")
  public static int getFrameCount(Thread thread) {
    return DefaultEnvironment.get().frames().count(thread);
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
   * @see Frames#at(Thread, int)
   */
  @JvmtiFunction("GetFrameLocation")
  public static StackFrame getFrameLocation(Thread thread, int depth) {
    return DefaultEnvironment.get().frames().at(thread, depth);
  }

  // Monitors

  /**
   * The objects whose monitors a thread owns. Adds {@link Capability#CAN_GET_OWNED_MONITOR_INFO}.
   *
   * @param thread a live thread
   * @return an unmodifiable list that keeps the objects alive; each of them is there once
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws NotSupportedException if the thread is virtual, not the calling one, and the JVM is
   *     older than JDK 23, or older than JDK 26 and the thread is not suspended
   * @throws MissingCapabilityException if the JVM was not started with the agent
   * @see Threads#ownedMonitorObjects(Thread)
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
   * @param thread a live thread; on the calling one depth 0 is the method that called this one
   * @return an unmodifiable list that keeps the objects alive; a monitor that the thread has
   *     entered several times is there once, with the innermost of the frames
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws NotSupportedException if the thread is virtual, not the calling one, and the JVM is
   *     older than JDK 23, or older than JDK 26 and the thread is not suspended
   * @throws MissingCapabilityException if the JVM was not started with the agent
   * @see Threads#ownedMonitors(Thread)
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
   * Object#wait()}. Before JDK 23 also one that it waits to be notified on. Adds {@link
   * Capability#CAN_GET_CURRENT_CONTENDED_MONITOR}.
   *
   * @param thread a live thread
   * @return the object, empty if the thread waits for no monitor
   * @throws NotSupportedException if the thread is virtual, not the calling one, and not suspended,
   *     and the JVM one of JDK 22 to 25
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the JVM was not started with the agent
   * @see Threads#contendedMonitor(Thread)
   */
  @JvmtiFunction("GetCurrentContendedMonitor")
  public static Optional<Object> getCurrentContendedMonitor(Thread thread) {
    requireNonNull(thread, "thread");
    return DefaultEnvironment.with(Capability.CAN_GET_CURRENT_CONTENDED_MONITOR)
        .threads()
        .contendedMonitor(thread);
  }

  /**
   * Who owns the monitor of an object, and who waits for it. Adds {@link
   * Capability#CAN_GET_MONITOR_INFO}.
   *
   * @param object the object
   * @return the threads
   * @see LiveObjects#monitorUsage(Object)
   */
  @JvmtiFunction("GetObjectMonitorUsage")
  public static MonitorUsage getObjectMonitorUsage(Object object) {
    return DefaultEnvironment.with(Capability.CAN_GET_MONITOR_INFO).objects().monitorUsage(object);
  }

  // Suspending, interrupting, stopping

  /**
   * Suspends a thread until it is resumed. Has {@link Capability#CAN_SUSPEND} while it is inside,
   * and after it as long as the thread is suspended: no other environment can have it meanwhile.
   *
   * <p>{@link Threads#suspend(Thread)} says what that means, and {@link Threads#withSuspended(
   * Thread, java.time.Duration, SuspendedAction)} is a safer way: nothing here ends a suspension
   * that was forgotten.
   *
   * @param thread a live thread; the calling one stops inside this method until another thread
   *     resumes it
   * @throws ThreadSuspendedException if the thread is suspended already
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalArgumentException if the thread is one of this library's own
   * @throws MissingCapabilityException if another environment holds the capability
   * @throws StalledException if the thread of the library that does this does not answer
   * @see Threads#suspend(Thread)
   */
  @JvmtiFunction("SuspendThread")
  public static void suspendThread(Thread thread) {
    requireNonNull(thread, "thread");
    SuspendingCalls.make(SuspendingCalls.SUSPEND, thread);
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
   * @see Threads#resume(Thread)
   */
  @JvmtiFunction("ResumeThread")
  public static void resumeThread(Thread thread) {
    requireNonNull(thread, "thread");
    SuspendingCalls.make(SuspendingCalls.RESUME, thread);
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
   * @throws StalledException if the thread of the library that does this does not answer, or the
   *     JVM needs more than five seconds for so many: all of them run then
   * @see Threads#suspend(Collection)
   */
  @JvmtiFunction("SuspendThreadList")
  public static Map<Thread, JvmtiError> suspendThreadList(Collection<Thread> threads) {
    requireNonNull(threads, "threads");
    return SuspendingCalls.make(SuspendingCalls.SUSPEND_LIST, threads);
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
   * @see Threads#resume(Collection)
   */
  @JvmtiFunction("ResumeThreadList")
  public static Map<Thread, JvmtiError> resumeThreadList(Collection<Thread> threads) {
    requireNonNull(threads, "threads");
    return SuspendingCalls.make(SuspendingCalls.RESUME_LIST, threads);
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
   * @see Threads#suspendAllVirtual(Thread...)
   */
  @JvmtiFunction("SuspendAllVirtualThreads")
  public static void suspendAllVirtualThreads(Thread... except) {
    requireNonNull(except, "except");
    DefaultEnvironment.with(Capability.CAN_SUPPORT_VIRTUAL_THREADS);
    SuspendingCalls.make(SuspendingCalls.SUSPEND_ALL_VIRTUAL, except);
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
   * @see Threads#resumeAllVirtual(Thread...)
   */
  @JvmtiFunction("ResumeAllVirtualThreads")
  public static void resumeAllVirtualThreads(Thread... except) {
    requireNonNull(except, "except");
    DefaultEnvironment.with(Capability.CAN_SUPPORT_VIRTUAL_THREADS);
    SuspendingCalls.make(SuspendingCalls.RESUME_ALL_VIRTUAL, except);
  }

  /**
   * Interrupts a thread, without asking it: {@link Thread#interrupt()} without the check of a
   * security manager. Adds {@link Capability#CAN_SIGNAL_THREAD}. {@link Threads#interrupt(Thread)}
   * says what it does not do.
   *
   * @param thread a live thread
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @see Threads#interrupt(Thread)
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
   * @param exception what it shall throw, of any type: also a checked one that its methods do not
   *     declare
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws FrameUnavailableException if the thread is virtual, suspended and not mounted
   * @throws ThreadNotSuspendedException if the thread is virtual and not suspended
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the thread is about to leave its frame
   * @see Threads#stop(Thread, Throwable)
   */
  @JvmtiFunction("StopThread")
  public static void stopThread(Thread thread, Throwable exception) {
    DefaultEnvironment.with(Capability.CAN_SIGNAL_THREAD).threads().stop(thread, exception);
  }

  // Thread groups, and a number for each thread

  /**
   * The thread groups that are in no other group.
   *
   * @return an unmodifiable list
   * @see ThreadGroups#top()
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
   * @see ThreadGroups#info(ThreadGroup)
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
   * @see ThreadGroups#children(ThreadGroup)
   */
  @JvmtiFunction("GetThreadGroupChildren")
  public static ThreadGroupChildren getThreadGroupChildren(ThreadGroup group) {
    return DefaultEnvironment.get().threadGroups().children(group);
  }

  /**
   * The number that is kept for a thread.
   *
   * @param thread a live thread
   * @return what {@link #setThreadLocalStorage(Thread, long)} put there, 0 at first
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @see Threads#localStorage(Thread)
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
   * @see Threads#setLocalStorage(Thread, long)
   */
  @JvmtiFunction("SetThreadLocalStorage")
  public static void setThreadLocalStorage(Thread thread, long value) {
    DefaultEnvironment.get().threads().setLocalStorage(thread, value);
  }

  /**
   * Runs code on a thread that has not started: it becomes a daemon thread, with no frame below
   * that of the code, and ends when the code does. {@link Threads#runAgentThread(Thread, Runnable,
   * int)} says how it differs from {@link Thread#start()}.
   *
   * @param thread a platform thread that was never started
   * @param body what it shall run
   * @param priority from {@link Thread#MIN_PRIORITY} to {@link Thread#MAX_PRIORITY}
   * @throws IllegalArgumentException if there is no such priority
   * @throws NotSupportedException if the thread is virtual
   * @throws JvmtiException with the code 10 if the thread was started before
   * @see Threads#runAgentThread(Thread, Runnable, int)
   */
  @JvmtiFunction("RunAgentThread")
  public static void runAgentThread(Thread thread, Runnable body, int priority) {
    DefaultEnvironment.get().threads().runAgentThread(thread, body, priority);
  }

  // Objects and tags

  /**
   * The memory that an object takes by itself, without what it refers to.
   *
   * @param object the object
   * @return its size in bytes, header and padding included
   * @see LiveObjects#size(Object)
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
   * @see LiveObjects#identityHash(Object)
   */
  @JvmtiFunction("GetObjectHashCode")
  public static int getObjectHashCode(Object object) {
    return DefaultEnvironment.get().objects().identityHash(object);
  }

  /**
   * Puts a tag on an object, in place of one it may have. Adds {@link Capability#CAN_TAG_OBJECTS}.
   * The tag does not keep the object alive; {@link LiveObjects} says what it costs.
   *
   * @param object the object
   * @param tag any number but 0
   * @throws IllegalArgumentException if the tag is 0: see {@link #clearTag(Object)}
   * @see LiveObjects#setTag(Object, long)
   */
  @JvmtiFunction("SetTag")
  public static void setTag(Object object, long tag) {
    DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().setTag(object, tag);
  }

  /**
   * Takes the tag off an object, if it has one. Adds {@link Capability#CAN_TAG_OBJECTS}.
   *
   * @param object the object
   * @see LiveObjects#clearTag(Object)
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
   * @see LiveObjects#tag(Object)
   */
  @JvmtiFunction("GetTag")
  public static long getTag(Object object) {
    return DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().tag(object).orElse(0);
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
   * @see LiveObjects#withTag(long, Class)
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
   * @see LiveObjects#withTags(long...)
   */
  @JvmtiFunction("GetObjectsWithTags")
  public static List<TaggedObject> getObjectsWithTags(long... tags) {
    return DefaultEnvironment.with(Capability.CAN_TAG_OBJECTS).objects().withTags(tags);
  }

  // Classes

  /**
   * The interfaces that a class itself says it implements, or an interface that it extends: not
   * those that it inherits.
   *
   * @param type a class that has been linked, as each is before its first use; a literal such as
   *     {@code Circle.class} is none, {@link Class#forName(String)} is
   * @return an unmodifiable list in the order of the declaration; empty for primitive types and for
   *     arrays
   * @throws JvmtiException with the code 22 if the class has been loaded and not linked
   * @see Classes#implementedInterfaces(Class)
   */
  @JvmtiFunction("GetImplementedInterfaces")
  public static List<Class<?>> getImplementedInterfaces(Class<?> type) {
    return DefaultEnvironment.get().classes().implementedInterfaces(type);
  }

  /**
   * Which lines of other sources the lines of a class come from, as the compiler of another
   * language has written it, for example that of Kotlin or of JSP. Adds {@link
   * Capability#CAN_GET_SOURCE_DEBUG_EXTENSION}.
   *
   * @param type any class
   * @return the text of the attribute; empty if the class file has none, and for arrays and
   *     primitive types
   * @throws MissingCapabilityException if the JVM was not started with the agent
   * @see Classes#sourceDebugExtension(Class)
   */
  @JvmtiFunction("GetSourceDebugExtension")
  public static Optional<String> getSourceDebugExtension(Class<?> type) {
    requireNonNull(type, "type");
    return DefaultEnvironment.with(Capability.CAN_GET_SOURCE_DEBUG_EXTENSION)
        .classes()
        .sourceDebugExtension(type);
  }

  /**
   * How the JVM writes the name of a class, and its generic signature.
   *
   * @param type any class
   * @return the signatures
   * @see Classes#signature(Class)
   */
  @JvmtiFunction("GetClassSignature")
  public static ClassSignature getClassSignature(Class<?> type) {
    return DefaultEnvironment.get().classes().signature(type);
  }

  /**
   * How far a class has come on its way to being used: linked, initialised, or in error. Asking
   * does not bring it further.
   *
   * @param type any class
   * @return its status at this moment; of arrays and primitive types only that they are such
   * @see Classes#status(Class)
   */
  @JvmtiFunction("GetClassStatus")
  public static ClassStatus getClassStatus(Class<?> type) {
    return DefaultEnvironment.get().classes().status(type);
  }

  /**
   * The file that a class was compiled from. Adds {@link Capability#CAN_GET_SOURCE_FILE_NAME}.
   *
   * @param type any class
   * @return its name without directories, for example {@code "Cart.java"}; empty if the class file
   *     does not say, and for arrays and primitive types
   * @see Classes#sourceFileName(Class)
   */
  @JvmtiFunction("GetSourceFileName")
  public static Optional<String> getSourceFileName(Class<?> type) {
    requireNonNull(type, "type");
    return DefaultEnvironment.with(Capability.CAN_GET_SOURCE_FILE_NAME)
        .classes()
        .sourceFileName(type);
  }

  /**
   * The version of the class file of a class: which Java it was compiled for.
   *
   * @param type any class
   * @return the version; empty for arrays and primitive types, which have no class file
   * @see Classes#version(Class)
   */
  @JvmtiFunction("GetClassVersionNumbers")
  public static Optional<ClassVersion> getClassVersionNumbers(Class<?> type) {
    return DefaultEnvironment.get().classes().version(type);
  }

  /**
   * All classes that are loaded at this moment, arrays and hidden ones among them; no primitive
   * types.
   *
   * @return an unmodifiable list in no order, which keeps them and their loaders alive: thousands
   * @throws StalledException if the thread of the library that does this does not answer
   * @see Classes#loaded()
   */
  @JvmtiFunction("GetLoadedClasses")
  public static List<Class<?>> getLoadedClasses() {
    return DefaultEnvironment.get().classes().loaded();
  }

  /**
   * Whether a class can be redefined or retransformed, by an agent that holds the capability for
   * that.
   *
   * @param type any class
   * @return never true for primitive types, arrays and hidden classes, such as those of lambdas,
   *     nor for a few classes of the JVM's own
   * @see Classes#isModifiable(Class)
   */
  @JvmtiFunction("IsModifiableClass")
  public static boolean isModifiableClass(Class<?> type) {
    return DefaultEnvironment.get().classes().isModifiable(type);
  }

  /**
   * The classes that a class loader stands for: those that it has defined itself, and those that
   * the JVM has asked it for and that another loader has defined; and what arrays of these there
   * are.
   *
   * @param loader any class loader
   * @return an unmodifiable list in no particular order; arrays of primitive types are in each
   * @throws StalledException if the thread of the library that does this does not answer
   * @see Classes#initiatedBy(ClassLoader)
   */
  @JvmtiFunction("GetClassLoaderClasses")
  public static List<Class<?>> getClassLoaderClasses(ClassLoader loader) {
    return DefaultEnvironment.get().classes().initiatedBy(loader);
  }

  /**
   * The classes of the bootstrap loader, for which Java has no object.
   *
   * @return an unmodifiable list in no particular order, of hundreds at least; hidden classes are
   *     not among them
   * @throws StalledException if the thread of the library that does this does not answer
   * @see Classes#initiatedByBootstrapLoader()
   */
  @JvmtiFunction("GetClassLoaderClasses")
  public static List<Class<?>> getBootstrapLoaderClasses() {
    return DefaultEnvironment.get().classes().initiatedByBootstrapLoader();
  }

  /**
   * The methods that a class itself declares, with its constructors and its static initialiser; not
   * those that it inherits.
   *
   * @param type a class that has been linked, as each is before its first use; a literal such as
   *     {@code Circle.class} is none, {@link Class#forName(String)} is
   * @return an unmodifiable list in no particular order; empty for primitive types and arrays
   * @throws JvmtiException with the code 22 if the class has been loaded and not linked
   * @see Classes#methods(Class)
   */
  @JvmtiFunction("GetClassMethods")
  public static List<JvmMethod> getClassMethods(Class<?> type) {
    return DefaultEnvironment.get().classes().methods(type);
  }

  /**
   * The fields that a class itself declares; not those that it inherits.
   *
   * @param type a class that has been linked, as each is before its first use; a literal such as
   *     {@code Circle.class} is none, {@link Class#forName(String)} is
   * @return an unmodifiable list in the order of the class file; empty for primitive types and
   *     arrays
   * @throws JvmtiException with the code 22 if the class has been loaded and not linked
   * @see Classes#fields(Class)
   */
  @JvmtiFunction("GetClassFields")
  public static List<JvmField> getClassFields(Class<?> type) {
    return DefaultEnvironment.get().classes().fields(type);
  }

  /**
   * The constants of a class, with the texts that they refer to. Adds {@link
   * Capability#CAN_GET_CONSTANT_POOL}.
   *
   * @param type any class
   * @return its constants by their indices; empty for arrays and primitive types
   * @see Classes#constantPool(Class)
   */
  @JvmtiFunction("GetConstantPool")
  public static Optional<ConstantPool> getConstantPool(Class<?> type) {
    requireNonNull(type, "type");
    return DefaultEnvironment.with(Capability.CAN_GET_CONSTANT_POOL).classes().constantPool(type);
  }

  /**
   * Replaces the class file of a class: its methods do something else from their next call on. Adds
   * {@link Capability#CAN_REDEFINE_CLASSES}.
   *
   * @param type a class that is modifiable
   * @param bytes its new class file
   * @throws RedefinitionException if the JVM refuses the class file, with what it objects to
   * @throws StalledException if another thread keeps on changing one of the classes
   * @throws JvmtiException with the code 113 if the class cannot be linked, or has too many
   *     constants by now
   * @see Classes#redefine(Class, byte[])
   */
  @JvmtiFunction("RedefineClasses")
  public static void redefineClass(Class<?> type, byte[] bytes) {
    requireNonNull(type, "type");
    requireNonNull(bytes, "bytes");
    DefaultEnvironment.with(Capability.CAN_REDEFINE_CLASSES).classes().redefine(type, bytes);
  }

  /**
   * Replaces the class files of classes, of all of them or of none. Adds {@link
   * Capability#CAN_REDEFINE_CLASSES}.
   *
   * @param classDefinitions each class with its new class file; nothing happens if there are none
   * @throws RedefinitionException if the JVM refuses a class file, with what it objects to
   * @throws StalledException if another thread keeps on changing one of the classes
   * @throws JvmtiException with the code 113 if a class cannot be linked, or has too many constants
   *     by now
   * @see Classes#redefine(Map)
   */
  @JvmtiFunction("RedefineClasses")
  public static void redefineClasses(Map<Class<?>, byte[]> classDefinitions) {
    requireNonNull(classDefinitions, "classDefinitions");
    DefaultEnvironment.with(Capability.CAN_REDEFINE_CLASSES).classes().redefine(classDefinitions);
  }

  /**
   * Makes classes anew of what they were loaded from, or redefined with: agents with a {@code
   * ClassFileTransformer} for that are asked again what they make of it, and what was made of them
   * by {@link #retransformClasses(ClassFileTransformer, Class...)} is undone. Adds {@link
   * Capability#CAN_RETRANSFORM_CLASSES}.
   *
   * @param types classes that are modifiable; nothing happens if there are none
   * @throws RedefinitionException if the JVM refuses what agents make of a class
   * @throws StalledException if another thread keeps on changing one of the classes
   * @throws JvmtiException with the code 113 if a class cannot be linked, or has too many constants
   *     by now
   * @see Classes#retransform(Class...)
   */
  @JvmtiFunction("RetransformClasses")
  public static void retransformClasses(Class<?>... types) {
    requireNonNull(types, "types");
    DefaultEnvironment.with(Capability.CAN_RETRANSFORM_CLASSES).classes().retransform(types);
  }

  /**
   * Has a transformer change classes once: it is asked about each of these classes, and about no
   * other, with what other agents make of what the class was loaded from. Adds {@link
   * Capability#CAN_RETRANSFORM_CLASSES}.
   *
   * @param transformer answers a new class file, or {@code null} for a class that is to stay as it
   *     is
   * @param types classes that are modifiable; nothing happens if there are none
   * @return those that were changed
   * @throws TransformationException if the transformer throws; the classes stay as they were
   * @throws RedefinitionException if the JVM refuses a class file; the classes stay as they were
   * @throws StalledException if another thread keeps on changing one of the classes
   * @throws JvmtiException with the code 113 if a class cannot be linked, or has too many constants
   *     by now
   * @throws IllegalStateException if another agent makes something else of a class each time
   * @see Classes#retransform(ClassFileTransformer, Class...)
   */
  @JvmtiFunction("RetransformClasses")
  public static List<Class<?>> retransformClasses(
      ClassFileTransformer transformer, Class<?>... types) {
    requireNonNull(transformer, "transformer");
    requireNonNull(types, "types");
    return DefaultEnvironment.with(Capability.CAN_RETRANSFORM_CLASSES)
        .classes()
        .retransform(transformer, types);
  }

  // Methods and fields

  /**
   * The bytecodes of a method, as its class file has them, whatever the JVM has made of them since.
   * Adds {@link Capability#CAN_GET_BYTECODES}.
   *
   * @param method any method
   * @return the bytecodes; empty of native and abstract methods
   * @throws MemberUnavailableException if its class has been unloaded
   * @see Methods#bytecodes(JvmMethod)
   */
  @JvmtiFunction("GetBytecodes")
  public static Optional<Bytecodes> getBytecodes(JvmMethod method) {
    requireNonNull(method, "method");
    return DefaultEnvironment.with(Capability.CAN_GET_BYTECODES).methods().bytecodes(method);
  }

  /**
   * Which lines of the source the bytecodes of a method come from. Adds {@link
   * Capability#CAN_GET_LINE_NUMBERS}.
   *
   * @param method any method
   * @return an unmodifiable list as the class file has it, neither sorted nor without repetition;
   *     empty of native and abstract methods, and where the class was compiled without lines
   * @throws MemberUnavailableException if its class has been unloaded
   * @see Methods#lineNumbers(JvmMethod)
   */
  @JvmtiFunction("GetLineNumberTable")
  public static Optional<List<LineNumber>> getLineNumberTable(JvmMethod method) {
    requireNonNull(method, "method");
    return DefaultEnvironment.with(Capability.CAN_GET_LINE_NUMBERS).methods().lineNumbers(method);
  }

  /**
   * Where the code of a method begins and ends.
   *
   * @param method any method
   * @return the range; empty of native and abstract methods, which have no code
   * @throws MemberUnavailableException if its class has been unloaded
   * @see Methods#codeRange(JvmMethod)
   */
  @JvmtiFunction("GetMethodLocation")
  public static Optional<CodeRange> getMethodLocation(JvmMethod method) {
    return DefaultEnvironment.get().methods().codeRange(method);
  }

  /**
   * How many slots the local variables of a method take, its parameters and {@code this} among
   * them; a {@code long} or a {@code double} takes two.
   *
   * @param method any method
   * @return their number; empty of a native method
   * @throws MemberUnavailableException if its class has been unloaded
   * @see Methods#maxLocals(JvmMethod)
   */
  @JvmtiFunction("GetMaxLocals")
  public static OptionalInt getMaxLocals(JvmMethod method) {
    return DefaultEnvironment.get().methods().maxLocals(method);
  }

  /**
   * How many slots the parameters of a method take, {@code this} among them; a {@code long} or a
   * {@code double} takes two.
   *
   * @param method any method
   * @return their number; empty of a native method
   * @throws MemberUnavailableException if its class has been unloaded
   * @see Methods#argumentsSize(JvmMethod)
   */
  @JvmtiFunction("GetArgumentsSize")
  public static OptionalInt getArgumentsSize(JvmMethod method) {
    return DefaultEnvironment.get().methods().argumentsSize(method);
  }

  /**
   * Whether a method was made by the compiler and stands in no source, such as a bridge. Adds
   * {@link Capability#CAN_GET_SYNTHETIC_ATTRIBUTE}.
   *
   * @param method any method
   * @return whether it is synthetic
   * @throws MemberUnavailableException if its class has been unloaded
   * @see Methods#isSynthetic(JvmMethod)
   */
  @JvmtiFunction("IsMethodSynthetic")
  public static boolean isMethodSynthetic(JvmMethod method) {
    requireNonNull(method, "method");
    return DefaultEnvironment.with(Capability.CAN_GET_SYNTHETIC_ATTRIBUTE)
        .methods()
        .isSynthetic(method);
  }

  /**
   * Whether a method is an old version that a redefinition of its class has replaced, and only
   * there for those who still run it: a stack names such methods.
   *
   * @param method any method
   * @return whether it is obsolete
   * @throws MemberUnavailableException if its class has been unloaded
   * @see Methods#isObsolete(JvmMethod)
   */
  @JvmtiFunction("IsMethodObsolete")
  public static boolean isMethodObsolete(JvmMethod method) {
    return DefaultEnvironment.get().methods().isObsolete(method);
  }

  /**
   * Whether a field was made by the compiler and stands in no source, such as the reference of an
   * inner class to its outer object. Adds {@link Capability#CAN_GET_SYNTHETIC_ATTRIBUTE}.
   *
   * @param field any field
   * @return whether it is synthetic
   * @throws MemberUnavailableException if its class has been unloaded
   * @see Fields#isSynthetic(JvmField)
   */
  @JvmtiFunction("IsFieldSynthetic")
  public static boolean isFieldSynthetic(JvmField field) {
    requireNonNull(field, "field");
    return DefaultEnvironment.with(Capability.CAN_GET_SYNTHETIC_ATTRIBUTE)
        .fields()
        .isSynthetic(field);
  }

  // Modules

  /**
   * All modules that there are: the named ones of every layer, and the unnamed one of each class
   * loader that has defined something.
   *
   * @return an unmodifiable list in no particular order, which keeps them and their loaders alive
   * @throws StalledException if the thread of the library that does this does not answer
   * @see Modules#all()
   */
  @JvmtiFunction("GetAllModules")
  public static List<Module> getAllModules() {
    return DefaultEnvironment.get().modules().all();
  }

  /**
   * The named module that a class loader defines a package in.
   *
   * @param loader the loader that the classes of the package have, {@link Class#getClassLoader()}
   * @param packageName the name of a package, for example {@code "com.acme.cart"}
   * @return the module; empty if the package is in the unnamed module, or the loader has none of
   *     that name, whatever the loaders that it asks have
   * @see Modules#ofPackage(ClassLoader, String)
   */
  @JvmtiFunction("GetNamedModule")
  public static Optional<Module> getNamedModule(ClassLoader loader, String packageName) {
    return DefaultEnvironment.get().modules().ofPackage(loader, packageName);
  }

  /**
   * The named module that the bootstrap loader, for which Java has no object, defines a package in.
   *
   * @param packageName the name of a package, for example {@code "java.lang"}
   * @return the module; empty if the loader has no package of that name in a named one
   * @see Modules#ofBootstrapPackage(String)
   */
  @JvmtiFunction("GetNamedModule")
  public static Optional<Module> getBootstrapLoaderModule(String packageName) {
    return DefaultEnvironment.get().modules().ofBootstrapPackage(packageName);
  }

  /**
   * Has a module read another one, for good.
   *
   * @param module the one that reads; an unnamed module reads all, so nothing changes
   * @param toModule the one that is read
   * @throws JvmtiException with the code 113 if the JDK's own code has no memory left for it
   * @see Modules#addReads(Module, Module)
   */
  @JvmtiFunction("AddModuleReads")
  public static void addModuleReads(Module module, Module toModule) {
    DefaultEnvironment.get().modules().addReads(module, toModule);
  }

  /**
   * Has a module export a package to another one, for good: what is public in it can be used there.
   *
   * @param module the one that exports; an unnamed or open module exports all, so nothing changes
   * @param pkgName the name of a package of its own, for example {@code "com.acme.cart"}
   * @param toModule the one that it is exported to
   * @throws JvmtiException with the code 103 if the module has no such package, or 113 if the JDK's
   *     own code has no memory left for it
   * @see Modules#addExports(Module, String, Module)
   */
  @JvmtiFunction("AddModuleExports")
  public static void addModuleExports(Module module, String pkgName, Module toModule) {
    DefaultEnvironment.get().modules().addExports(module, pkgName, toModule);
  }

  /**
   * Has a module open a package to another one, for good: all that is in it can be reached there by
   * reflection, and what is public can be used.
   *
   * @param module the one that opens; an unnamed or open module opens all, so nothing changes
   * @param pkgName the name of a package of its own, for example {@code "com.acme.cart"}
   * @param toModule the one that it is opened to
   * @throws JvmtiException with the code 103 if the module has no such package, or 113 if the JDK's
   *     own code has no memory left for it
   * @see Modules#addOpens(Module, String, Module)
   */
  @JvmtiFunction("AddModuleOpens")
  public static void addModuleOpens(Module module, String pkgName, Module toModule) {
    DefaultEnvironment.get().modules().addOpens(module, pkgName, toModule);
  }

  /**
   * Has a module use a service, for good: its code may ask a {@link java.util.ServiceLoader} for
   * it.
   *
   * @param module the one that uses it; an unnamed module may use any, so nothing changes
   * @param service the type of the service
   * @throws JvmtiException with the code 21 if the service is a primitive type, or 113 if the JDK's
   *     own code has no memory left for it
   * @see Modules#addUses(Module, Class)
   */
  @JvmtiFunction("AddModuleUses")
  public static void addModuleUses(Module module, Class<?> service) {
    DefaultEnvironment.get().modules().addUses(module, service);
  }

  /**
   * Has a module provide a service, for good: a {@link java.util.ServiceLoader} that is made from
   * then on finds it, once for each time that it was added.
   *
   * <p>The JVM does not look whether the class is fit for that, as {@link java.util.ServiceLoader}
   * wants it: public, with a public constructor without parameters, and of the service's type. If
   * it is not, every {@code ServiceLoader} that comes to it throws a {@link
   * java.util.ServiceConfigurationError} from then on.
   *
   * @param module the one that provides it
   * @param service the type of the service
   * @param implClass a class of that module, which provides the service
   * @throws IllegalArgumentException if the class is in another module, where no {@code
   *     ServiceLoader} would find it
   * @throws JvmtiException with the code 21 if the service or the class is a primitive type, or 113
   *     if the JDK's own code has no memory left for it
   * @see Modules#addProvides(Module, Class, Class)
   */
  @JvmtiFunction("AddModuleProvides")
  public static void addModuleProvides(Module module, Class<?> service, Class<?> implClass) {
    DefaultEnvironment.get().modules().addProvides(module, service, implClass);
  }

  /**
   * Whether a module can be changed by the methods above.
   *
   * @param module any module, named or not
   * @return whether it can; on HotSpot that is so of all
   * @see Modules#isModifiable(Module)
   */
  @JvmtiFunction("IsModifiableModule")
  public static boolean isModifiableModule(Module module) {
    return DefaultEnvironment.get().modules().isModifiable(module);
  }

  // Time

  /**
   * The time of the JVM's own clock: good for differences, like {@link System#nanoTime()}. Any
   * phase.
   *
   * @return nanoseconds since some fixed but arbitrary moment
   * @see Timers#time()
   */
  @JvmtiFunction("GetTime")
  public static long getTimeNanos() {
    return TimerNatives.getTime(DefaultEnvironment.get().handle());
  }

  /**
   * What {@link #getTimeNanos()} measures.
   *
   * @return the facts about the timer
   * @see Timers#timerInfo()
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
   * @see Timers#threadCpuTimerInfo()
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
   * @see Timers#currentThreadCpuTimerInfo()
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
   * @see Timers#availableProcessors()
   */
  @JvmtiFunction("GetAvailableProcessors")
  public static int getAvailableProcessors() {
    return DefaultEnvironment.get().timers().availableProcessors();
  }

  // Properties, memory, and where class loaders look

  /**
   * Memory of the JVM's own allocator. It goes back by itself when the buffer cannot be reached any
   * more.
   *
   * @param bytes how many; none is right, too
   * @return a direct buffer of so many zeros, whose byte order is that of every new buffer
   * @throws IllegalArgumentException if the number is negative
   * @throws OutOfMemoryError if there would be more than all together may take, or the JVM has no
   *     native memory left
   * @see Memory#allocate(int)
   */
  @JvmtiFunction("Allocate")
  public static ByteBuffer allocate(int bytes) {
    return DefaultEnvironment.get().memory().allocate(bytes);
  }

  /**
   * The JVM's own properties: what it knows of itself, and what {@code -D} has set.
   *
   * @return an unmodifiable map in the order of the JVM; a property without a value is left out
   * @see SystemAccess#properties()
   */
  @JvmtiFunction({"GetSystemProperties", "GetSystemProperty"})
  public static Map<String, String> getSystemProperties() {
    return DefaultEnvironment.get().system().properties();
  }

  /**
   * The value of one of the JVM's own properties.
   *
   * @param name its name
   * @return its value, empty if the JVM has no such property, or does not tell it
   * @see SystemAccess#property(String)
   */
  @JvmtiFunction("GetSystemProperty")
  public static Optional<String> getSystemProperty(String name) {
    return DefaultEnvironment.get().system().property(name);
  }

  /**
   * Has the bootstrap class loader look for classes in one more jar, after all others, until the
   * JVM ends.
   *
   * @param file a jar
   * @throws IllegalArgumentException if it is not a file of the default file system
   * @throws JvmtiException with the code 103 if the JVM cannot open it as a jar
   * @see SystemAccess#addToBootstrapSearch(Path)
   */
  @JvmtiFunction("AddToBootstrapClassLoaderSearch")
  public static void addToBootstrapClassLoaderSearch(Path file) {
    DefaultEnvironment.get().system().addToBootstrapSearch(file);
  }

  /**
   * Has the system class loader, which loads the application, look for classes in one more jar,
   * after the class path, until the JVM ends.
   *
   * @param file a jar
   * @throws IllegalArgumentException if it is not a file of the default file system, or if its name
   *     has characters beyond U+FFFF, which the JDK's loader cannot read
   * @throws JvmtiException with the code 103 if the JVM cannot open it as a jar, 106 if the loader
   *     has no method for it, 113 if that throws
   * @see SystemAccess#addToSystemSearch(Path)
   */
  @JvmtiFunction("AddToSystemClassLoaderSearch")
  public static void addToSystemClassLoaderSearch(Path file) {
    DefaultEnvironment.get().system().addToSystemSearch(file);
  }

  // JNI

  /**
   * The functions of JNI that this JVM has.
   *
   * @return an unmodifiable set in the order of the JVM's table
   * @see JniFunctions#available()
   */
  @JvmtiFunction("GetJNIFunctionTable")
  public static Set<JniFunction> getJNIFunctionTable() {
    return DefaultEnvironment.get().jniFunctions().available();
  }

  /**
   * Counts the calls of some functions of JNI from now on, whoever makes them: each call takes a
   * few nanoseconds more until the counter is closed.
   *
   * @param functions which; at least one
   * @return the counter; close it. It is closed with this environment at the latest, or when it has
   *     become unreachable
   * @throws IllegalArgumentException if there is none
   * @throws NotSupportedException if this JVM does not have one of them
   * @throws StalledException if the thread of the library that does this does not answer
   * @throws WrongPhaseException if the JVM is ending
   * @throws IllegalStateException if other agents have put too many different functions in the
   *     place of one of them
   * @see JniFunctions#count(JniFunction...)
   */
  @JvmtiFunction("SetJNIFunctionTable")
  public static JniCallCounter countJniCalls(JniFunction... functions) {
    return DefaultEnvironment.get().jniFunctions().count(functions);
  }

  // The JVM

  /**
   * The functions that this JVM has beyond the specification.
   *
   * @return an unmodifiable list in the order of the JVM
   * @see Extensions#functions()
   */
  @JvmtiFunction("GetExtensionFunctions")
  public static List<ExtensionFunction> getExtensionFunctions() {
    return DefaultEnvironment.get().extensions().functions();
  }

  /**
   * The events that this JVM has beyond the specification.
   *
   * @return an unmodifiable list in the order of the JVM
   * @see Extensions#events()
   */
  @JvmtiFunction("GetExtensionEvents")
  public static List<ExtensionEvent> getExtensionEvents() {
    return DefaultEnvironment.get().extensions().events();
  }

  /**
   * The phase that the JVM is in. Any phase.
   *
   * @return the phase
   * @see Jvmti#phase()
   */
  @JvmtiFunction("GetPhase")
  public static Phase getPhase() {
    return DefaultEnvironment.get().phase();
  }

  /**
   * The version of JVM TI that the JVM implements. Any phase.
   *
   * @return the version
   * @see Jvmti#version()
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
   * @see Jvmti#errorName(int)
   */
  @JvmtiFunction("GetErrorName")
  public static String getErrorName(int number) {
    return DefaultEnvironment.get().errorName(number);
  }

  /**
   * What the locations of frames count. Any phase.
   *
   * @return the format, {@link LocationFormat#JVMBCI} on HotSpot
   * @see Jvmti#locationFormat()
   */
  @JvmtiFunction("GetJLocationFormat")
  public static LocationFormat getJLocationFormat() {
    return DefaultEnvironment.get().locationFormat();
  }

  /**
   * Makes the JVM report something on its standard output. Any phase; holds for the whole JVM.
   *
   * @param flag what to report
   * @see Jvmti#enableVerbose(VerboseFlag)
   */
  @JvmtiFunction("SetVerboseFlag")
  public static void enableVerbose(VerboseFlag flag) {
    DefaultEnvironment.get().enableVerbose(flag);
  }

  /**
   * Makes the JVM report something no longer. Any phase; holds for the whole JVM.
   *
   * @param flag what not to report
   * @see Jvmti#disableVerbose(VerboseFlag)
   */
  @JvmtiFunction("SetVerboseFlag")
  public static void disableVerbose(VerboseFlag flag) {
    DefaultEnvironment.get().disableVerbose(flag);
  }

  /**
   * Which capabilities the shared environment holds, and which this JVM can still grant.
   *
   * @return a snapshot, which prints as a table
   * @see Jvmti#capabilities()
   */
  @JvmtiFunction({"GetCapabilities", "GetPotentialCapabilities"})
  public static Capabilities capabilities() {
    return DefaultEnvironment.get().capabilities();
  }
}
