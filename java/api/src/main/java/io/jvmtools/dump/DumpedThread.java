package io.jvmtools.dump;

import io.jvmtools.stack.StackTrace;
import io.jvmtools.thread.ThreadState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A thread of a {@link ThreadDump}: a value that keeps nothing of the program alive. */
public final class DumpedThread {

  /** In the map of monitors: entered by native code, or by a frame that is not known. */
  static final int NO_FRAME = -1;

  private final ThreadIdentity identity;
  private final ThreadHost host;
  private final ThreadState state;
  private final StackTrace stack;
  private final boolean cut;
  private final long cpuNanos;
  private final @Nullable DumpedWait wait;
  private final boolean monitorsKnown;
  private final Map<Integer, List<DumpedLock>> monitors;
  private final List<DumpedLock> ownedLocks;
  private final Map<Integer, List<DumpedLocal>> locals;

  DumpedThread(
      ThreadIdentity identity,
      ThreadHost host,
      ThreadState state,
      StackTrace stack,
      boolean cut,
      long cpuNanos,
      @Nullable DumpedWait wait,
      boolean monitorsKnown,
      Map<Integer, List<DumpedLock>> monitors,
      List<DumpedLock> ownedLocks,
      Map<Integer, List<DumpedLocal>> locals) {
    this.identity = identity;
    this.host = host;
    this.state = state;
    this.stack = stack;
    this.cut = cut;
    this.cpuNanos = cpuNanos;
    this.wait = wait;
    this.monitorsKnown = monitorsKnown;
    this.monitors = monitors;
    this.ownedLocks = List.copyOf(ownedLocks);
    this.locals = locals;
  }

  /**
   * Its name.
   *
   * @return the name, empty for a virtual thread that was given none
   */
  public String name() {
    return identity.name();
  }

  /**
   * Its number, by which the JVM's own dumps and the management interface name it too.
   *
   * @return the number, as {@link Thread#getId()} of the JDK has it
   */
  public long id() {
    return identity.id();
  }

  /**
   * Whether it is a virtual thread.
   *
   * @return whether it is
   */
  public boolean isVirtual() {
    return identity.virtual();
  }

  /**
   * Whether it is a daemon.
   *
   * @return whether it is
   */
  public boolean isDaemon() {
    return identity.daemon();
  }

  /**
   * Its priority.
   *
   * @return the priority, from 1 to 10
   */
  public int priority() {
    return identity.priority();
  }

  /**
   * The name of its thread group.
   *
   * @return the name, empty if the thread has ended since the dump was taken
   */
  public Optional<String> group() {
    return identity.group();
  }

  /**
   * What it was doing. That it was suspended for the dump is not shown, that others had suspended
   * it is.
   *
   * @return its state
   */
  public ThreadState state() {
    return state;
  }

  /**
   * What it was doing, in the terms of {@code java.lang}.
   *
   * @return its state
   */
  public Thread.State javaState() {
    return state.toJavaState();
  }

  /**
   * Where it was.
   *
   * @return its frames, as many as {@link DumpOptions#depth(int)} says; empty if it runs no Java
   *     method
   */
  public StackTrace stack() {
    return stack;
  }

  /**
   * Whether it has more frames than {@link DumpOptions#depth(int)} says.
   *
   * @return whether it has
   */
  public boolean hasMoreFrames() {
    return cut;
  }

  /**
   * Where it was, with the monitors that each frame entered and the local variables in it.
   *
   * @return an unmodifiable list, the innermost frame first
   */
  public List<DumpedFrame> frames() {
    List<DumpedFrame> frames = new ArrayList<>(stack.size());
    for (int depth = 0; depth < stack.size(); depth++) {
      frames.add(
          new DumpedFrame(
              stack.get(depth),
              monitors.getOrDefault(depth, List.of()),
              locals.getOrDefault(depth, List.of())));
    }
    return Collections.unmodifiableList(frames);
  }

  /**
   * Whether all monitors that it owns are known. If not, its frames show none, or some of them, and
   * {@link ThreadDump#unknown()} says why. What the JVM has locked for it, such as a class loader,
   * it does not tell: that is only seen in what others wait for.
   *
   * @return whether it is
   */
  public boolean monitorsKnown() {
    return monitorsKnown;
  }

  /**
   * The monitors it owns that belong to none of its frames that are here: native code entered them,
   * or {@linkplain #hasMoreFrames() deeper frames} did.
   *
   * @return an unmodifiable list
   */
  public List<DumpedLock> monitorsOfNoFrame() {
    return monitors.getOrDefault(NO_FRAME, List.of());
  }

  /**
   * The locks of {@code java.util.concurrent} it owns, as far as another thread is parked for them:
   * the JVM knows no others without a walk of the heap.
   *
   * @return an unmodifiable list
   */
  public List<DumpedLock> ownedLocks() {
    return ownedLocks;
  }

  /**
   * What it waits for.
   *
   * @return the lock and its owner; empty for a thread that waits for no lock, that sleeps, or that
   *     is parked without saying for what
   */
  public Optional<DumpedWait> waitsFor() {
    return Optional.ofNullable(wait);
  }

  /**
   * The processor time it has used so far.
   *
   * @return the time; empty for a virtual thread, whose time no JVM measures, and if it was not
   *     read
   */
  public Optional<Duration> cpuTime() {
    return cpuNanos < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(cpuNanos));
  }

  /**
   * How long ago it was made, as the operating system tells.
   *
   * @return the time, to a hundredth of a second on Linux; empty for a virtual thread, on macOS,
   *     which does not keep it, and if {@link ThreadDump#unknown()} says why
   */
  public Optional<Duration> elapsedTime() {
    return host.ageNanos() < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(host.ageNanos()));
  }

  /**
   * Its number in the operating system, as {@code top -H} and the JVM's own dumps have it.
   *
   * @return the number; empty for a virtual thread, whose {@link #carrier()} has one, for one that
   *     ended while the dump was taken, and if {@link ThreadDump#unknown()} says why
   */
  public OptionalLong nativeId() {
    return host.nativeId() < 0 ? OptionalLong.empty() : OptionalLong.of(host.nativeId());
  }

  /**
   * The platform thread that runs this virtual one.
   *
   * @return the thread; empty for a platform thread, and for a virtual one that is not mounted
   */
  public Optional<DumpedName> carrier() {
    return Optional.ofNullable(host.carrier());
  }

  /**
   * The virtual thread that this platform thread runs: what it does, and the processor time that
   * its {@linkplain #nativeId() number} has in {@code top -H}, are those of that one.
   *
   * @return the thread; empty for one that carries none, or none that is in the dump
   */
  public Optional<DumpedName> carried() {
    return Optional.ofNullable(host.carried());
  }

  /**
   * The executor or scope that has started it, as {@code jcmd Thread.dump_to_file} names it.
   * Whether thread pools of platform threads are one depends on the release; fork-join pools are.
   *
   * @return the name; empty for a thread that was started by itself, and before JDK 21
   */
  public Optional<String> container() {
    return Optional.ofNullable(host.container());
  }

  /**
   * Whose scope its {@link #container()} is: the thread that waits there for the tasks that it has
   * forked, as in a {@code StructuredTaskScope}.
   *
   * @return the thread; empty if the container is an executor, which nobody owns, if there is none,
   *     and before JDK 21
   */
  public Optional<DumpedName> containerOwner() {
    return Optional.ofNullable(host.containerOwner());
  }

  /** How a wait, a lock or a deadlock refers to it. */
  DumpedName asName() {
    return identity.asName();
  }

  /**
   * The thread as in the text of the whole dump.
   *
   * @return its header, its state and its frames, without a line end after the last
   */
  @Override
  public String toString() {
    return DumpText.of(this);
  }
}
