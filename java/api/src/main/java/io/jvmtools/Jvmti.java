package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.code.Breakpoints;
import io.jvmtools.code.Classes;
import io.jvmtools.code.Fields;
import io.jvmtools.code.Methods;
import io.jvmtools.code.Modules;
import io.jvmtools.code.Watches;
import io.jvmtools.dump.Dumps;
import io.jvmtools.event.EventType;
import io.jvmtools.event.Events;
import io.jvmtools.event.Profiles;
import io.jvmtools.internal.Lists;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.CapabilityMasks;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.failure.Failures;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.objects.LiveObjects;
import io.jvmtools.objects.RawMonitors;
import io.jvmtools.snapshot.Snapshots;
import io.jvmtools.stack.Frames;
import io.jvmtools.stack.Locals;
import io.jvmtools.system.Extensions;
import io.jvmtools.system.JniFunctions;
import io.jvmtools.system.Memory;
import io.jvmtools.system.SystemAccess;
import io.jvmtools.system.Timers;
import io.jvmtools.thread.ThreadGroups;
import io.jvmtools.thread.Threads;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * A JVM TI environment of one's own: it holds exactly the capabilities it was opened with, and the
 * tags of its objects are seen by nobody else.
 *
 * <pre>{@code
 * try (Jvmti jvmti = Jvmti.open(Capability.CAN_TAG_OBJECTS, Capability.CAN_GET_THREAD_CPU_TIME)) {
 *   jvmti.objects().setTag(order, 42);
 *   Duration cpu = jvmti.timers().threadCpuTime(worker);
 *   StackTrace trace = jvmti.frames().stackTrace(worker);
 * }
 * }</pre>
 *
 * <p>Any thread may use an environment, also while another one closes it: a call that began before
 * {@link #close()} completes, one that begins later is an {@link IllegalStateException}. An
 * environment that is forgotten is closed after it has become unreachable. Until then, which takes
 * a collection of garbage, it costs what an open one does: whenever somebody begins to listen, or
 * ends it, the JVM goes through all environments for each thread, whatever they are for. With a
 * hundred threads and a thousand environments that is a third of a second, and once anybody has
 * listened another environment is opened in a millisecond and not in microseconds. What only one
 * environment at a time can hold, as {@link Capability#CAN_SUSPEND}, it keeps from others until
 * then, too.
 *
 * <p>On JDK 21 and later the first environment of a JVM, of any agent, makes switching of virtual
 * threads dearer until the JVM ends, up to twice as dear where they do nothing but yield.
 */
public final class Jvmti implements AutoCloseable {

  private static final Maker<Environment, Threads> THREADS = Makers.of(Threads.class);
  private static final Maker<Environment, ThreadGroups> GROUPS = Makers.of(ThreadGroups.class);
  private static final Maker<Environment, Frames> FRAMES = Makers.of(Frames.class);
  private static final Maker<Environment, Locals> LOCALS = Makers.of(Locals.class);
  private static final Maker<Environment, LiveObjects> OBJECTS = Makers.of(LiveObjects.class);
  private static final Maker<Environment, RawMonitors> RAW_MONITORS = Makers.of(RawMonitors.class);
  private static final Maker<Environment, Classes> CLASSES = Makers.of(Classes.class);
  private static final Maker<Environment, Methods> METHODS = Makers.of(Methods.class);
  private static final Maker<Environment, Fields> FIELDS = Makers.of(Fields.class);
  private static final Maker<Environment, Breakpoints> BREAKPOINTS = Makers.of(Breakpoints.class);
  private static final Maker<Environment, Watches> WATCHES = Makers.of(Watches.class);
  private static final Maker<Environment, Events> EVENTS = Makers.of(Events.class);
  private static final Maker<Events, Profiles> PROFILES = Makers.of(Profiles.class);
  private static final Maker<Events, Snapshots> SNAPSHOTS = Makers.of(Snapshots.class);
  private static final Maker<Environment, Modules> MODULES = Makers.of(Modules.class);
  private static final Maker<Environment, Timers> TIMERS = Makers.of(Timers.class);
  private static final Maker<Environment, SystemAccess> SYSTEM = Makers.of(SystemAccess.class);
  private static final Maker<Environment, JniFunctions> JNI_FUNCTIONS =
      Makers.of(JniFunctions.class);
  private static final Maker<Environment, Memory> MEMORY = Makers.of(Memory.class);
  private static final Maker<Environment, Extensions> EXTENSIONS = Makers.of(Extensions.class);
  private static final Maker<Environment, Dumps> DUMPS = Makers.of(Dumps.class);

  private final Environment environment;
  private final Threads threads;
  private final ThreadGroups threadGroups;
  private final Frames frames;
  private final Locals locals;
  private final LiveObjects objects;
  private final RawMonitors rawMonitors;
  private final Classes classes;
  private final Methods methods;
  private final Fields fields;
  private final Breakpoints breakpoints;
  private final Watches watches;
  private final Events events;
  private final Profiles profile;
  private final Snapshots snapshots;
  private final Modules modules;
  private final Timers timers;
  private final SystemAccess system;
  private final JniFunctions jniFunctions;
  private final Memory memory;
  private final Extensions extensions;
  private final Dumps dumps;

  /** One whose facets are called with so many frames of the library above them. */
  Jvmti(int framesAbove) {
    NativeLibrary.load();
    environment = new Environment(this, GeneralNatives.open(this), framesAbove);
    threads = THREADS.make(environment);
    threadGroups = GROUPS.make(environment);
    frames = FRAMES.make(environment);
    locals = LOCALS.make(environment);
    objects = OBJECTS.make(environment);
    rawMonitors = RAW_MONITORS.make(environment);
    classes = CLASSES.make(environment);
    methods = METHODS.make(environment);
    fields = FIELDS.make(environment);
    breakpoints = BREAKPOINTS.make(environment);
    watches = WATCHES.make(environment);
    events = EVENTS.make(environment);
    profile = PROFILES.make(events);
    snapshots = SNAPSHOTS.make(events);
    modules = MODULES.make(environment);
    timers = TIMERS.make(environment);
    system = SYSTEM.make(environment);
    jniFunctions = JNI_FUNCTIONS.make(environment);
    memory = MEMORY.make(environment);
    extensions = EXTENSIONS.make(environment);
    dumps = DUMPS.make(environment);
  }

  /**
   * Opens an environment.
   *
   * @param capabilities what it shall hold; none for what needs no capability, such as stacks and
   *     thread states
   * @return the environment; close it
   * @throws MissingCapabilityException if one of the capabilities cannot be had; no environment
   *     remains then
   * @throws LibraryLoadException if the native library cannot be loaded
   * @throws StalledException if the thread of the library that does this does not answer, or if a
   *     call that has one of them does not end ({@link #add(Capability...)})
   * @throws IllegalStateException if 65,535 environments are open
   * @throws WrongPhaseException if the JVM is ending, and capabilities are wanted
   */
  public static Jvmti open(Capability... capabilities) {
    return open(setOf(capabilities));
  }

  /**
   * Opens an environment.
   *
   * @param capabilities what it shall hold
   * @return the environment; close it
   * @throws MissingCapabilityException if one of the capabilities cannot be had; no environment
   *     remains then
   * @throws LibraryLoadException if the native library cannot be loaded
   * @throws StalledException if the thread of the library that does this does not answer, or if a
   *     call that has one of them does not end ({@link #add(Capability...)})
   * @throws IllegalStateException if 65,535 environments are open
   * @throws WrongPhaseException if the JVM is ending, and capabilities are wanted
   */
  public static Jvmti open(Set<Capability> capabilities) {
    Set<Capability> wanted =
        setOf(requireNonNull(capabilities, "capabilities").toArray(Capability[]::new));
    Jvmti jvmti = new Jvmti(0);
    try {
      if (!wanted.isEmpty()) {
        jvmti.add(wanted);
      }
      return jvmti;
    } catch (Throwable failure) {
      jvmti.close();
      throw failure;
    }
  }

  /**
   * Closes the environment: its tags and its raw monitors go, the threads that it has suspended are
   * resumed, and other environments can have its capabilities. Closing it again does nothing, but
   * while somebody closes it, others who do wait as long; once one has waited in vain, nobody does.
   *
   * <p>A call of another thread that is still inside keeps the environment in being until it
   * returns; this method waits for it half a second at most. Not so one that does something while
   * threads are suspended: they are resumed at once, its action goes on, and when that ends its
   * result is an {@link IllegalStateException}.
   *
   * <p>With tags by the million the JVM needs 0.05 to 0.5 microseconds for each, and starts and
   * ends no thread meanwhile: a tool takes them off before, in parts. Where somebody has listened
   * to objects that are freed, more than 4096 tags, or 64 different ones, stay until one of the
   * next collections: the JVM might stand still for ever if it was asked before.
   */
  @Override
  @JvmtiFunction("DisposeEnvironment")
  public void close() {
    GeneralNatives.close(handle());
    environment.keep();
  }

  /**
   * Whether the environment has not been closed.
   *
   * @return whether it can be used
   */
  public boolean isOpen() {
    return environment.keep(GeneralNatives.isOpen(handle()));
  }

  /**
   * Which capabilities the environment holds, and why it does not hold the others.
   *
   * @return a snapshot, which prints as a table
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction({"GetCapabilities", "GetPotentialCapabilities"})
  public Capabilities capabilities() {
    return environment.keep(new Capabilities(CapabilityMasks.read(handle())));
  }

  /**
   * Adds capabilities: all of them, or none if one cannot be had. One that is held already stays.
   *
   * <p>What only one environment can hold, and a call of {@link JvmTools} has for as long as it is
   * inside, such as {@link Capability#CAN_SUSPEND} for a thread dump, is waited for. Whoever opened
   * an environment with it, or keeps threads suspended, keeps it, and this method fails at once.
   *
   * @param capabilities what the environment shall hold too
   * @throws MissingCapabilityException if one cannot be had; the message says how it could
   * @throws IllegalStateException if the environment is closed
   * @throws StalledException if the thread of the library that does this does not answer, or if a
   *     call that has one of them does not end within five seconds
   */
  @JvmtiFunction("AddCapabilities")
  public void add(Capability... capabilities) {
    add(setOf(capabilities));
  }

  /**
   * Gives capabilities back. One that is not held is ignored.
   *
   * <p>What needs one of them is over, also when it is added again: listeners of events {@linkplain
   * EventType#capability() of that capability} are told no more, and profiles count no more, but
   * what they have counted can still be asked for; breakpoints and watches are cleared, and with
   * {@link Capability#CAN_GENERATE_BREAKPOINT_EVENTS} the places and snapshot points are over.
   *
   * @param capabilities what the environment shall hold no longer
   * @throws IllegalStateException if the environment is closed, or if {@link
   *     Capability#CAN_SUSPEND} is among them and threads are suspended that it has suspended
   * @throws StalledException if the thread of the library that does this does not answer
   */
  @JvmtiFunction("RelinquishCapabilities")
  public void relinquish(Capability... capabilities) {
    CapabilitiesNatives.relinquishCapabilities(handle(), Capability.toBits(setOf(capabilities)));
    environment.keep();
  }

  /**
   * Threads: which there are, what they do, which monitors they own, and how to stop them for a
   * while.
   *
   * @return the facet, the same for each call
   */
  public Threads threads() {
    return threads;
  }

  /**
   * Thread groups: which there are and what is in them.
   *
   * @return the facet, the same for each call
   */
  public ThreadGroups threadGroups() {
    return threadGroups;
  }

  /**
   * Stacks and frames: where threads are.
   *
   * @return the facet, the same for each call
   */
  public Frames frames() {
    return frames;
  }

  /**
   * Local variables: what frames hold, and other values for them.
   *
   * @return the facet, the same for each call
   */
  public Locals locals() {
    return locals;
  }

  /**
   * Objects: tags, sizes, hash codes and monitors.
   *
   * @return the facet, the same for each call
   */
  public LiveObjects objects() {
    return objects;
  }

  /**
   * Raw monitors: locks of the JVM that belong to no object.
   *
   * @return the facet, the same for each call
   */
  public RawMonitors rawMonitors() {
    return rawMonitors;
  }

  /**
   * Classes: what their class files say of them, and their methods and fields.
   *
   * @return the facet, the same for each call
   */
  public Classes classes() {
    return classes;
  }

  /**
   * Methods: their code, and what the JVM knows of them.
   *
   * @return the facet, the same for each call
   */
  public Methods methods() {
    return methods;
  }

  /**
   * Fields: what the JVM knows of them.
   *
   * @return the facet, the same for each call
   */
  public Fields fields() {
    return fields;
  }

  /**
   * Breakpoints: instructions at which the JVM tells that a thread has come there.
   *
   * @return the facet, the same for each call
   */
  public Breakpoints breakpoints() {
    return breakpoints;
  }

  /**
   * Events: what happens in the JVM, as it happens.
   *
   * @return the facet, the same for each call
   */
  public Events events() {
    return events;
  }

  /**
   * Profiles: events that are counted by where they happen.
   *
   * @return the facet, the same for each call
   */
  public Profiles profile() {
    return profile;
  }

  /**
   * Snapshots: what variables hold where a thread comes by, kept while it goes on.
   *
   * @return the facet, the same for each call
   */
  public Snapshots snapshots() {
    return snapshots;
  }

  /**
   * Watched fields: those of which the JVM tells whenever code reads or writes them.
   *
   * @return the facet, the same for each call
   */
  public Watches watches() {
    return watches;
  }

  /**
   * Modules: which there are, and what they read, export, open, use and provide.
   *
   * @return the facet, the same for each call
   */
  public Modules modules() {
    return modules;
  }

  /**
   * Timers: CPU time and elapsed time.
   *
   * @return the facet, the same for each call
   */
  public Timers timers() {
    return timers;
  }

  /**
   * The JVM as a whole: its properties, and where its class loaders look.
   *
   * @return the facet, the same for each call
   */
  public SystemAccess system() {
    return system;
  }

  /**
   * JNI: how often native code calls the JVM.
   *
   * @return the facet, the same for each call
   */
  public JniFunctions jniFunctions() {
    return jniFunctions;
  }

  /**
   * Memory: what the JVM's own allocator gives.
   *
   * @return the facet, the same for each call
   */
  public Memory memory() {
    return memory;
  }

  /**
   * Extensions: what the JVM has beyond the specification.
   *
   * @return the facet, the same for each call
   */
  public Extensions extensions() {
    return extensions;
  }

  /**
   * Thread dumps: what all threads do, and which of them wait for each other.
   *
   * @return the facet, the same for each call
   */
  public Dumps dumps() {
    return dumps;
  }

  /**
   * The version of JVM TI that the JVM implements. Any phase.
   *
   * @return the version
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetVersionNumber")
  public JvmtiVersion version() {
    return environment.keep(JvmtiVersion.of(GeneralNatives.getVersionNumber(handle())));
  }

  /**
   * The phase that the JVM is in. Any phase.
   *
   * @return the phase
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetPhase")
  public Phase phase() {
    return environment.keep(Phase.of(GeneralNatives.getPhase(handle())));
  }

  /**
   * The name the JVM gives to an error number. Any phase.
   *
   * @param number the number of an error, as {@link JvmtiException#code()} has it
   * @return the name, for example {@code "JVMTI_ERROR_THREAD_NOT_ALIVE"}
   * @throws JvmtiException with the code 103 if the JVM knows no such error
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetErrorName")
  public String errorName(int number) {
    return environment.keep(GeneralNatives.getErrorName(handle(), number));
  }

  /**
   * What the locations of frames count. Any phase.
   *
   * @return the format, {@link LocationFormat#JVMBCI} on HotSpot
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetJLocationFormat")
  public LocationFormat locationFormat() {
    return environment.keep(LocationFormat.of(GeneralNatives.getJLocationFormat(handle())));
  }

  /**
   * The number that this environment keeps. Any phase.
   *
   * @return what {@link #setLocalStorage(long)} put there, 0 at first
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetEnvironmentLocalStorage")
  public long localStorage() {
    return environment.keep(GeneralNatives.getEnvironmentLocalStorage(handle()));
  }

  /**
   * Keeps a number for whoever has this environment, until it is closed. Other environments do not
   * see it. Any phase.
   *
   * @param value any number, in place of the one that is there
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetEnvironmentLocalStorage")
  public void setLocalStorage(long value) {
    GeneralNatives.setEnvironmentLocalStorage(handle(), value);
    environment.keep();
  }

  /**
   * Makes the JVM report something on its standard output. Any phase; holds for the whole JVM.
   *
   * @param flag what to report
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetVerboseFlag")
  public void enableVerbose(VerboseFlag flag) {
    requireNonNull(flag, "flag");
    GeneralNatives.setVerboseFlag(handle(), flag.number(), true);
    environment.keep();
  }

  /**
   * Makes the JVM report something no longer. Any phase; holds for the whole JVM.
   *
   * @param flag what not to report
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetVerboseFlag")
  public void disableVerbose(VerboseFlag flag) {
    requireNonNull(flag, "flag");
    GeneralNatives.setVerboseFlag(handle(), flag.number(), false);
    environment.keep();
  }

  /**
   * Whether the environment is open, and what it holds.
   *
   * @return for example {@code "Jvmti[CAN_TAG_OBJECTS]"} or {@code "Jvmti[closed]"}
   */
  @Override
  public String toString() {
    if (!isOpen()) {
      return "Jvmti[closed]";
    }
    try {
      return "Jvmti"
          + Capability.fromBits(environment.keep(CapabilitiesNatives.getCapabilities(handle())));
    } catch (IllegalStateException closedMeanwhile) {
      return "Jvmti[closed]";
    }
  }

  private void add(Set<Capability> capabilities) {
    Failures.requireOffered(capabilities, CapabilityMasks.read(handle()));
    try {
      CapabilitiesNatives.addCapabilities(handle(), Capability.toBits(capabilities));
    } catch (NotSupportedException refused) {
      throw Failures.refused(capabilities, CapabilityMasks.read(handle()), refused);
    }
    environment.keep();
  }

  private static Set<Capability> setOf(Capability[] capabilities) {
    EnumSet<Capability> set = EnumSet.noneOf(Capability.class);
    requireNonNull(capabilities, "capabilities");
    Collections.addAll(set, Lists.requireNoneNull(capabilities, "capabilities"));
    return set;
  }

  Environment environment() {
    return environment;
  }

  /** What natives take for it. */
  long handle() {
    return environment.handle();
  }
}
