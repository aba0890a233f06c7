package io.jvmtools.dump;

import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.dump.DumpFacts;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.stack.PackedFrames;
import io.jvmtools.internal.thread.Carriers;
import io.jvmtools.internal.thread.ThreadNatives;
import io.jvmtools.internal.thread.ThreadReferences;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import io.jvmtools.thread.ThreadState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Turns what native code read into a dump: who owns what, and who therefore waits for whom. */
final class DumpReader {

  private static final Maker<PackedFrames, StackTrace> STACKS = Makers.of(StackTrace.class);

  /** Bits of a state. */
  private static final int SUSPENDED = 0x100000;

  private static final int RUNNABLE = 0x4;

  private static final String BY_NOBODY = "nobody has told who owns what it waits for";
  private static final String BY_OTHERS = "who owns what it waits for is not in the dump";
  private static final String IN_A_CLASS =
      "it may wait for a class that a thread initialises whose frames do not tell";

  private final DumpFacts facts;
  private final DumpGaps gaps;
  private final ThreadHosts hosts;
  private final Initializations initializations = new Initializations();
  private boolean framesAreSeen;
  private final int ownFrames;
  private final int depth;
  private final DeadlockSearch search;
  private final Map<Long, DumpedLock> awaited;
  private Map<Long, ManagedWaits.Wait> managed = Map.of();
  private final Map<Long, Integer> rowsByNumber = new HashMap<>();
  private final Thread current = Thread.currentThread();

  private final @Nullable ThreadIdentity[] identities;
  private final ThreadState[] states;
  private final StackTrace[] stacks;
  private final boolean[] cut;
  private final @Nullable DumpedWait[] waits;
  private final List<Map<Integer, List<DumpedLock>>> monitors = new ArrayList<>();
  private final List<Set<DumpedLock>> ownedLocks = new ArrayList<>();
  private final List<Map<Integer, List<DumpedLocal>>> locals = new ArrayList<>();

  /** By identity: the rows of the threads, and of the owners of monitors. */
  private final IdentityHashMap<Thread, Integer> rows = new IdentityHashMap<>();

  private final IdentityHashMap<Object, Integer> owners = new IdentityHashMap<>();
  private final int[] waitsFor;
  private final boolean[] hasGotIt;

  /** Why it may wait in a deadlock of which nobody has told. */
  private final @Nullable String[] doubts;

  /** What threads wait on, as their frames tell. */
  private final Map<Integer, DumpedLock> receivers = new HashMap<>();

  /**
   * A reader.
   *
   * @param facts what native code read
   * @param ownFrames how many frames of ours are on top of the calling thread's stack
   * @param depth how many frames of each thread are wanted
   * @param search how deadlocks over monitors are looked for
   * @param awaited what threads wait on that the facts do not tell it of, by their numbers
   */
  DumpReader(
      DumpFacts facts,
      int ownFrames,
      int depth,
      DeadlockSearch search,
      Map<Long, DumpedLock> awaited) {
    this.facts = facts;
    this.hosts = new ThreadHosts(facts);
    this.depth = depth;
    this.search = search;
    this.awaited = awaited;
    this.ownFrames = ownFrames;
    int count = facts.threads().length;
    this.identities = new ThreadIdentity[count];
    this.states = new ThreadState[count];
    this.stacks = new StackTrace[count];
    this.cut = new boolean[count];
    this.waits = new DumpedWait[count];
    this.waitsFor = new int[count];
    this.hasGotIt = new boolean[count];
    this.doubts = new String[count];
    this.gaps = new DumpGaps(facts, identities, states, waits);
  }

  ThreadDump read(DumpHeader header, List<String> unknown) {
    readStacks();
    managed = search.managed().apply(waiting(), this::isBlockedNow);
    readMonitors();
    readLocals();
    readInitializations();
    for (int row = 0; row < waits.length; row++) {
      waitsFor[row] = readWait(row);
    }
    @Nullable DumpedThread[] threads = new DumpedThread[identities.length];
    List<DumpedThread> alive = new ArrayList<>();
    for (int row = 0; row < threads.length; row++) {
      if (identities[row] != null) {
        DumpedThread thread = thread(row, identities[row]);
        threads[row] = thread;
        alive.add(thread);
      }
    }
    List<Deadlock> deadlocks = new ArrayList<>();
    for (int[] circle : DeadlockFinder.circles(waitsFor)) {
      deadlocks.add(new Deadlock(Arrays.stream(circle).mapToObj(row -> threads[row]).toList()));
    }
    DumpConsistency consistency =
        facts.suspended() == null ? DumpConsistency.SAFEPOINT : DumpConsistency.SUSPENDED;
    Optional<String> doubt = search.looks() ? doubt() : Optional.empty();
    boolean known = search.looks() && doubt.isEmpty();
    return new ThreadDump(header, consistency, alive, deadlocks, known, unknown(unknown, doubt));
  }

  /** Whether a thread may wait in a deadlock of which nobody has told. */
  private Optional<String> doubt() {
    doubtWhoBlocksWhom();
    doubtWhoInitializes();
    return IntStream.range(0, doubts.length)
        .filter(row -> doubts[row] != null)
        .mapToObj(row -> "deadlocks with " + identities[row].asName() + ": " + doubts[row])
        .findFirst();
  }

  /**
   * Those that are blocked of which nobody has told by whom, though somebody may own what they
   * want.
   */
  private void doubtWhoBlocksWhom() {
    boolean platform = mayOwnMore(false);
    boolean virtual = mayOwnMore(true);
    for (int row = 0; row < waits.length; row++) {
      DumpedWait wait = waits[row];
      if (wait != null
          && states[row].isBlockedOnMonitorEnter()
          && wait.owner().isEmpty()
          && !hasGotIt[row]) {
        boolean asked = search.asksTheBean() && !identities[row].virtual();
        if (asked && !managed.containsKey(identities[row].id())) {
          // It was asked a moment later: who was blocked no more is in no deadlock.
          continue;
        }
        // It names the owner if that is a platform thread.
        if (wait.lock().isEmpty() || virtual || (platform && !asked)) {
          doubts[row] = BY_NOBODY;
        }
      }
    }
  }

  /** Whether threads of a kind may own monitors of which neither they nor those have told. */
  private boolean mayOwnMore(boolean virtual) {
    boolean wereAsked = facts.contendedOwners() != null && (facts.late() & Bridge.DUMP_OWNERS) == 0;
    boolean monitorsTell = wereAsked && (!virtual || DumpGaps.MONITORS_NAME_VIRTUAL_OWNERS);
    return (!monitorsTell && !search.sees(virtual))
        || IntStream.range(0, states.length)
            .filter(row -> identities[row] != null && identities[row].virtual() == virtual)
            .anyMatch(row -> monitorsTell ? isToldInVain(row) : !gaps.isToldMonitors(row));
  }

  /** Whether monitors were not asked for their owner, for a thread had told that has run since. */
  private boolean isToldInVain(int row) {
    return facts.monitorCounts() != null
        && DumpGaps.listed(facts.monitorCounts()[row]) > 0
        && gaps.wentOn(row);
  }

  /** The numbers of those platform threads that wait for what has an owner. */
  private long[] waiting() {
    return IntStream.range(0, states.length)
        .filter(row -> identities[row] != null)
        .filter(
            row -> states[row].isBlockedOnMonitorEnter() || at(facts.blockerOwners(), row) != null)
        .filter(row -> !identities[row].virtual())
        .mapToLong(row -> identities[row].id())
        .toArray();
  }

  /** Whether the thread of that number wants a monitor at this moment. */
  private boolean isBlockedNow(long number) {
    int row = rowsByNumber.getOrDefault(number, DeadlockFinder.NOBODY);
    return row != DeadlockFinder.NOBODY
        && ThreadState.of(
                ThreadNatives.getThreadState(GeneralNatives.metadata(), facts.threads()[row]))
            .isBlockedOnMonitorEnter();
  }

  private DumpedThread thread(int row, ThreadIdentity identity) {
    return new DumpedThread(
        identity,
        hosts.of(row),
        states[row],
        stacks[row],
        cut[row],
        facts.cpuNanos() == null ? -1 : facts.cpuNanos()[row],
        waits[row],
        gaps.isToldMonitors(row),
        monitors.get(row),
        List.copyOf(ownedLocks.get(row)),
        locals.get(row));
  }

  private void readStacks() {
    long[] packed = facts.packed();
    long width = packed[0];
    int at = 1;
    for (int row = 0; row < states.length; row++) {
      Thread thread = facts.threads()[row];
      states[row] = state(row, (int) packed[at]);
      int count = (int) packed[at + 1];
      PackedFrames frames = PackedFrames.of(packed, at + 2, count, width);
      at += 2 + count * (int) width;
      frames = frames.below(ownFrames(row));
      cut[row] = frames.count() > depth;
      stacks[row] = STACKS.make(cut[row] ? frames.top(depth) : frames);
      monitors.add(new HashMap<>());
      ownedLocks.add(new LinkedHashSet<>());
      locals.add(new HashMap<>());
      if (states[row].isAlive() && ThreadReferences.isBuilt(thread)) {
        identities[row] = ThreadIdentity.of(thread);
        rows.put(thread, row);
        if (!gaps.wentOn(row)) {
          initializations.add(row, stacks[row]);
        }
        rowsByNumber.put(identities[row].id(), row);
      }
    }
  }

  /** The state without the traces of the suspension that the dump itself made. */
  private ThreadState state(int row, int bits) {
    if (facts.suspended() == null || facts.suspended()[row] != 0) {
      return ThreadState.of(bits);
    }
    ThreadState state = ThreadState.of(bits & ~SUSPENDED);
    // JDK 21 calls a virtual thread that is suspended while it waits runnable as well.
    return state.isWaiting() ? ThreadState.of(state.bits() & ~RUNNABLE) : state;
  }

  private int ownFrames(int row) {
    return facts.threads()[row] == current ? ownFrames : 0;
  }

  private void readMonitors() {
    if (facts.monitorCounts() == null
        || facts.monitors() == null
        || facts.monitorDepths() == null) {
      return;
    }
    int next = 0;
    for (int row = 0; row < states.length; row++) {
      int own = ownFrames(row);
      int end = next + DumpGaps.listed(facts.monitorCounts()[row]);
      if (gaps.wentOn(row)) {
        // What it owned may be of another moment than its frames.
        next = end;
      }
      for (; next < end; next++) {
        Object monitor = facts.monitors()[next];
        int depth = facts.monitorDepths()[next];
        owners.put(monitor, row);
        boolean isSeen = depth >= own && !(cut[row] && depth - own >= this.depth);
        int frame = isSeen ? depth - own : DumpedThread.NO_FRAME;
        add(monitors.get(row), frame, DumpedLock.of(monitor));
      }
    }
  }

  private void readLocals() {
    int[] places = facts.localPlaces();
    if (places == null
        || facts.localNames() == null
        || facts.localSignatures() == null
        || facts.localBits() == null
        || facts.localObjects() == null) {
      return;
    }
    for (int i = 0; i < facts.localNames().length; i++) {
      int row = places[2 * i];
      int depth = places[2 * i + 1] - ownFrames(row);
      if (depth >= 0 && !gaps.wentOn(row)) {
        readReceiver(row, depth, i);
        DumpedLocal local =
            DumpedLocal.of(
                facts.localNames()[i],
                facts.localSignatures()[i],
                facts.localBits()[i],
                facts.localObjects()[i]);
        add(locals.get(row), depth, local);
      }
    }
  }

  /** The receiver of {@link Object#wait()} is what a thread waits on. */
  private void readReceiver(int row, int depth, int local) {
    Object receiver = facts.localObjects()[local];
    if (receiver != null
        && facts.localNames()[local].equals("this")
        && states[row].isInObjectWait()
        && depth < stacks[row].size()
        && isWait(stacks[row].get(depth))) {
      receivers.put(row, DumpedLock.of(receiver));
    }
  }

  private static boolean isWait(StackFrame frame) {
    return frame.className().equals("java.lang.Object") && frame.methodName().startsWith("wait");
  }

  private static <T> void add(Map<Integer, List<T>> map, int depth, T element) {
    map.computeIfAbsent(depth, none -> new ArrayList<>()).add(element);
  }

  /** The same of a thread whose monitor the bean has told. */
  private int readTold(int row, ManagedWaits.Wait told) {
    DumpedName owner = told.owner();
    int owning =
        owner == null
            ? DeadlockFinder.NOBODY
            : rowsByNumber.getOrDefault(owner.id(), DeadlockFinder.NOBODY);
    boolean isCarrier =
        owning == DeadlockFinder.NOBODY
            ? owner != null && Carriers.isOne(owner.id())
            : Carriers.is(facts.threads()[owning]);
    if (isCarrier) {
      // On 21 the bean names it where the virtual thread that it carries is the owner.
      owner = null;
      owning = DeadlockFinder.NOBODY;
    }
    if (owner != null && owning == DeadlockFinder.NOBODY && !search.sees(false)) {
      doubts[row] = BY_OTHERS;
    }
    waits[row] =
        new DumpedWait(
            entering(row), Optional.ofNullable(told.lock()), Optional.ofNullable(owner), false);
    // A deadlock stays: it is no matter that this is a moment later. The bean knows of none with
    // classes, so whether such a one stays is seen in a second dump.
    return told.stays() || initializations.areAny() ? owning : DeadlockFinder.NOBODY;
  }

  /** What a thread waits for, and the row of the thread it therefore waits for. */
  private int readWait(int row) {
    ThreadState state = states[row];
    if (identities[row] == null) {
      return DeadlockFinder.NOBODY;
    }
    if (state.isBlockedOnMonitorEnter()) {
      Object monitor = at(facts.contended(), row);
      Thread owner = owner(row, monitor);
      ManagedWaits.Wait told = owner == null ? managed.get(identities[row].id()) : null;
      if (told != null) {
        return readTold(row, told);
      }
      waits[row] = wait(entering(row), monitor, owner);
      doubtIfElsewhere(row, owner);
      return row(owner);
    }
    if (state.isInObjectWait()) {
      // Before JDK 23 this is what it waits to be notified on; whoever owns that can go on.
      waits[row] =
          new DumpedWait(DumpedWait.Kind.NOTIFICATION, awaited(row), Optional.empty(), false);
      return DeadlockFinder.NOBODY;
    }
    if (state.toJavaState() == Thread.State.RUNNABLE) {
      return readInitialization(row);
    }
    Object blocker = state.isParked() ? at(facts.blockers(), row) : null;
    if (blocker == null) {
      return DeadlockFinder.NOBODY;
    }
    Thread owner = at(facts.blockerOwners(), row);
    DumpedWait wait = wait(DumpedWait.Kind.PARKED, blocker, owner);
    waits[row] = wait;
    doubtIfElsewhere(row, owner);
    int ownerRow = row(owner);
    if (ownerRow != DeadlockFinder.NOBODY) {
      wait.lock().ifPresent(ownedLocks.get(ownerRow)::add);
    }
    return ownerRow;
  }

  private Optional<DumpedLock> awaited(int row) {
    return lock(at(facts.contended(), row))
        .or(() -> Optional.ofNullable(receivers.get(row)))
        .or(() -> Optional.ofNullable(awaited.get(identities[row].id())));
  }

  /** Of a monitor that a thread is blocked on: as the owner tells, or as the monitor does. */
  private @Nullable Thread owner(int row, @Nullable Object monitor) {
    Integer owning = owners.get(monitor);
    Thread owner = owning == null ? at(facts.contendedOwners(), row) : facts.threads()[owning];
    // It has got it since it was seen to wait, and so is in no deadlock.
    hasGotIt[row] = owner == facts.threads()[row];
    return hasGotIt[row] ? null : owner;
  }

  private int row(@Nullable Thread thread) {
    return thread == null
        ? DeadlockFinder.NOBODY
        : rows.getOrDefault(thread, DeadlockFinder.NOBODY);
  }

  private void doubtIfElsewhere(int row, @Nullable Thread owner) {
    if (isElsewhere(owner)) {
      doubts[row] = BY_OTHERS;
    }
  }

  /** What of them those tell that run for the JVM. */
  private void readInitializations() {
    framesAreSeen = seesAllFrames();
    if (initializations.areAny() || !framesAreSeen) {
      for (int row = 0; row < states.length; row++) {
        if (runs(row)) {
          initializations.addRunning(row, stacks[row]);
        }
      }
    }
  }

  private boolean runs(int row) {
    return identities[row] != null
        && states[row].toJavaState() == Thread.State.RUNNABLE
        && facts.threads()[row] != current
        && !gaps.wentOn(row);
  }

  /** The class for which a thread waits that runs for the JVM, and who initialises that. */
  private int readInitialization(int row) {
    var awaited = initializations.awaitedBy(row);
    if (awaited.isEmpty()) {
      return DeadlockFinder.NOBODY;
    }
    int owner = awaited.get().row();
    Thread initializer = facts.threads()[owner];
    waits[row] = wait(DumpedWait.Kind.CLASS_INITIALIZATION, awaited.get().type(), initializer);
    return owner;
  }

  /** Those that others may wait for, and that may wait themselves for a class. */
  private void doubtWhoInitializes() {
    BitSet waitedFor = new BitSet();
    Arrays.stream(waitsFor).filter(row -> row != DeadlockFinder.NOBODY).forEach(waitedFor::set);
    for (int row = 0; row < states.length; row++) {
      boolean counts =
          waitedFor.get(row) || initializations.hasOne(row) || cut[row] || !seesAllThreads();
      if (counts && initializations.mayWait(row, framesAreSeen)) {
        doubts[row] = IN_A_CLASS;
      }
    }
  }

  private boolean seesAllThreads() {
    return search.sees(false) && search.sees(true);
  }

  private boolean seesAllFrames() {
    return seesAllThreads()
        && IntStream.range(0, cut.length).noneMatch(row -> cut[row] || gaps.wentOn(row));
  }

  /**
   * Whether a thread lives that is none of the dump, and may be one of those that it does not see.
   */
  private boolean isElsewhere(@Nullable Thread owner) {
    return owner != null
        && row(owner) == DeadlockFinder.NOBODY
        && ThreadReferences.isBuilt(owner)
        && owner.isAlive()
        && !search.sees(ThreadIdentity.of(owner).virtual());
  }

  private DumpedWait.Kind entering(int row) {
    boolean again = stacks[row].top().filter(DumpReader::isWait).isPresent();
    return again ? DumpedWait.Kind.MONITOR_AGAIN : DumpedWait.Kind.MONITOR;
  }

  private DumpedWait wait(DumpedWait.Kind kind, @Nullable Object lock, @Nullable Thread owner) {
    if (owner == null || !ThreadReferences.isBuilt(owner)) {
      return new DumpedWait(kind, lock(lock), Optional.empty(), false);
    }
    boolean hasEnded = row(owner) == DeadlockFinder.NOBODY && seesAllThreads() && !owner.isAlive();
    DumpedName name = ThreadIdentity.of(owner).asName();
    return new DumpedWait(kind, lock(lock), Optional.of(name), hasEnded);
  }

  private static Optional<DumpedLock> lock(@Nullable Object lock) {
    return Optional.ofNullable(lock).map(DumpedLock::of);
  }

  private static <T> @Nullable T at(@Nullable T @Nullable [] array, int row) {
    return array == null ? null : array[row];
  }

  private List<String> unknown(List<String> known, Optional<String> doubt) {
    List<String> lines = new ArrayList<>(known);
    doubt.ifPresent(lines::add);
    boolean anyIsBlocked =
        IntStream.range(0, states.length)
            .anyMatch(row -> identities[row] != null && states[row].isBlockedOnMonitorEnter());
    search.line(anyIsBlocked, doubt.isEmpty()).ifPresent(lines::add);
    hosts.addUnknown(lines);
    lines.addAll(gaps.lines(search));
    if (facts.localNames() != null && rows.containsKey(current)) {
      lines.add("the local variables of " + current.getName() + ": it takes the dump itself");
    }
    return lines;
  }
}
