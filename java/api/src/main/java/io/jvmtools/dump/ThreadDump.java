package io.jvmtools.dump;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.toSet;

import io.jvmtools.Capability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What all threads were doing at one moment: platform threads and the virtual ones that the JDK
 * keeps track of, their stacks, monitors, locks and times, and the deadlocks among them.
 *
 * <pre>{@code
 * ThreadDump dump = JvmTools.threadDump();
 * System.out.println(dump);
 * for (Deadlock deadlock : dump.deadlocks()) {
 *   log.error(deadlock.toString());
 * }
 * }</pre>
 *
 * <p>A value: it needs no environment, and keeps no thread, no lock, no class and no class loader
 * of the program alive. What could not be read is empty, and {@link #unknown()} says why.
 */
public final class ThreadDump {

  private final DumpHeader header;
  private final DumpConsistency consistency;
  private final List<DumpedThread> threads;
  private final List<Deadlock> deadlocks;
  private final boolean deadlocksKnown;
  private final List<String> unknown;
  private final Map<Long, DumpedThread> byId = new HashMap<>();

  ThreadDump(
      DumpHeader header,
      DumpConsistency consistency,
      List<DumpedThread> threads,
      List<Deadlock> deadlocks,
      boolean deadlocksKnown,
      List<String> unknown) {
    this.header = header;
    this.consistency = consistency;
    this.threads = List.copyOf(threads);
    this.deadlocks = List.copyOf(deadlocks);
    this.deadlocksKnown = deadlocksKnown;
    this.unknown = List.copyOf(unknown);
    threads.forEach(thread -> byId.put(thread.id(), thread));
  }

  /**
   * This dump, with those of its deadlocks only that a later one has too, and what neither knows.
   */
  ThreadDump confirmedBy(ThreadDump later) {
    Set<Map<Long, Optional<DumpedLock>>> seenAgain =
        later.deadlocks.stream().map(Deadlock::waits).collect(toSet());
    List<Deadlock> confirmed =
        deadlocks.stream().filter(deadlock -> seenAgain.contains(deadlock.waits())).toList();
    boolean known = deadlocksKnown && later.deadlocksKnown;
    Set<String> neither = new LinkedHashSet<>(unknown);
    neither.addAll(later.unknown);
    return new ThreadDump(header, consistency, threads, confirmed, known, List.copyOf(neither));
  }

  /** This dump, whose deadlocks could not be looked for again. */
  ThreadDump unconfirmed() {
    List<String> lines = new ArrayList<>(unknown);
    lines.add("deadlocks: what looked like one could not be looked at again within the deadline");
    return new ThreadDump(header, consistency, threads, List.of(), false, lines);
  }

  /** Whether who is in a deadlock waits for a class, which the JVM does not tell. */
  boolean hasDeadlocksOverClasses() {
    return deadlocks.stream()
        .flatMap(deadlock -> deadlock.threads().stream())
        .anyMatch(thread -> thread.waitsFor().filter(DumpedWait::isForAClass).isPresent());
  }

  /**
   * When the dump was taken.
   *
   * @return the time just before the threads were read
   */
  public Instant takenAt() {
    return header.takenAt();
  }

  /**
   * The process that was looked at, as the system knows it.
   *
   * @return its number; empty where a {@code SecurityManager} forbids to ask for it
   */
  public OptionalLong processId() {
    return header.processId();
  }

  /**
   * The JVM that was looked at.
   *
   * @return its name and version
   */
  public String vm() {
    return header.vm();
  }

  /**
   * How far the parts of the dump belong to one moment.
   *
   * @return the degree
   */
  public DumpConsistency consistency() {
    return consistency;
  }

  /**
   * The threads that were alive.
   *
   * @return an unmodifiable list: platform threads as the JVM lists them, then virtual ones
   */
  public List<DumpedThread> threads() {
    return threads;
  }

  /**
   * One of the threads.
   *
   * @param thread a thread of the program
   * @return what the dump says about it; empty if it was not alive, or is virtual and was not found
   */
  public Optional<DumpedThread> thread(Thread thread) {
    return Optional.ofNullable(byId.get(ThreadIdentity.id(requireNonNull(thread, "thread"))));
  }

  /**
   * The deadlocks among the threads: over monitors, over locks of {@code java.util.concurrent} that
   * know their owner, over classes that threads initialise and others wait for, and over several of
   * these.
   *
   * <p>Monitors count only if the environment held {@link
   * Capability#CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO} and {@link
   * Capability#CAN_GET_CURRENT_CONTENDED_MONITOR}; before JDK 23 those of virtual threads only with
   * {@link Capability#CAN_GET_MONITOR_INFO}. Where they are missing, as in a JVM that was started
   * without the agent, the deadlocks of platform threads are those that {@code
   * java.lang.management.ThreadMXBean} finds, if the runtime has it. If the threads went on while
   * locks were read, what looked like a deadlock was looked at a second time.
   *
   * @return an unmodifiable list; that it is empty never means that nobody has looked
   * @throws IllegalStateException if none was found and there may be some, as {@link
   *     #deadlocksKnown()} tells
   */
  public List<Deadlock> deadlocks() {
    if (!deadlocksKnown && deadlocks.isEmpty()) {
      List<String> why = unknown.stream().filter(line -> line.contains("deadlock")).toList();
      throw new IllegalStateException(
          "there may be deadlocks that nobody has found: "
              + String.join("; ", why.isEmpty() ? unknown : why));
    }
    return deadlocks;
  }

  /**
   * Whether all deadlocks were found. If not, {@link #unknown()} says why: they were not asked for;
   * the environment may not ask the JVM and the runtime has no {@code ThreadMXBean} that could be
   * asked; a thread is blocked on a monitor, and nobody has told by whom, as where a virtual thread
   * may own it; there was no time to ask for all of them; one of the threads that were {@linkplain
   * DumpOptions#threads chosen} waits for one that was not; or a thread may wait for a class that
   * another one initialises, and no frame tells, as in a call by reflection or in frames that
   * {@linkplain DumpOptions#depth were not asked for}.
   *
   * @return whether they were
   */
  public boolean deadlocksKnown() {
    return deadlocksKnown;
  }

  boolean hasDeadlocks() {
    return !deadlocks.isEmpty();
  }

  /**
   * What is not known and why, with what to do about it.
   *
   * @return an unmodifiable list of lines
   */
  public List<String> unknown() {
    return unknown;
  }

  /**
   * The dump as a JSON object on one line:
   *
   * <pre>{@code
   * {
   *   "takenAt": "2026-01-31T12:00:00Z",
   *   "processId": 4711,                               // or null
   *   "vm": "OpenJDK 64-Bit Server VM 21.0.5+11-LTS",
   *   "consistency": "SUSPENDED",                      // a DumpConsistency
   *   "threads": [{
   *     "name": "teller-1", "id": 27,
   *     "virtual": false, "daemon": true, "priority": 5,
   *     "group": "main",                               // or null
   *     "state": "BLOCKED",                            // a Thread.State
   *     "flags": ["ALIVE", "BLOCKED_ON_MONITOR_ENTER"],// ThreadState.Flag
   *     "cpuNanos": 12345678,                          // or null
   *     "elapsedNanos": 98765432100,                   // or null
   *     "nativeId": 4711,                              // or null
   *     "carrier": {"name": "ForkJoinPool-1-worker-1", "id": 30},  // or null
   *     "carried": {"name": "", "id": 87},             // or null
   *     "container": "ForkJoinPool.commonPool/...",    // or null
   *     "containerOwner": {"name": "request-1", "id": 21},  // or null
   *     "waitsFor": {                                  // or null
   *       "kind": "MONITOR",                           // a DumpedWait.Kind
   *       "lock": LOCK,                                // or null
   *       "owner": {"name": "teller-2", "id": 28},     // or null
   *       "ownerHasEnded": false
   *     },
   *     "ownedLocks": [LOCK, ...],
   *     "monitorsKnown": true,                         // else not all of them
   *     "monitorsOfNoFrame": [LOCK, ...],
   *     "frames": [{
   *       "class": "com.acme.Cart", "method": "total", "signature": "()J",
   *       "file": "Cart.java",                         // or null
   *       "line": 42,                                  // or null
   *       "module": "com.acme",                        // or null
   *       "location": 17, "native": false,
   *       "monitors": [LOCK, ...],
   *       "locals": [{"name": "total", "signature": "J", "value": "42"}]
   *     }],
   *     "moreFrames": false                            // deeper ones were not asked for
   *   }],
   *   "deadlocks": [{"threads": [27, 28]}],            // each waits for the next; or null
   *   "unknown": ["..."]
   * }
   *
   * LOCK: {"class": "com.acme.Cart", "identityHash": 454899078, "mirrored": null}
   * }</pre>
   *
   * @return the JSON, in which every property is always there
   */
  public String toJson() {
    StringBuilder json = new StringBuilder();
    DumpJson.write(this, json);
    return json.toString();
  }

  /**
   * Writes what {@link #toJson()} answers, without having all of it in memory: a thread with thirty
   * frames is eight kilobytes. It comes in small pieces, so that a file wants a buffer.
   *
   * @param out where it goes; neither flushed nor closed
   * @throws IOException if {@code out} throws it
   */
  public void writeJson(Appendable out) throws IOException {
    requireNonNull(out, "out");
    try {
      DumpJson.write(this, out);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * The dump as {@link #toString()} answers it, where threads that do the same thing at the same
   * place share one block: those with the same state, frames and local variables, and locks of the
   * same classes. Thousands of idle workers are a few lines, also where each waits for an object of
   * its own, of which there are {@code <several>}.
   *
   * @return the lines, without a line end after the last
   */
  public String toGroupedString() {
    return DumpText.grouped(this);
  }

  /**
   * The dump as a text like that of the JVM's own {@code Thread.print}: a header, a block for each
   * thread, the deadlocks, how many threads there are in which state, and what is not known. {@link
   * #toGroupedString()} is shorter.
   *
   * @return the lines, without a line end after the last
   */
  @Override
  public String toString() {
    return DumpText.of(this);
  }
}
