package io.jvmtools.dump;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.Lists;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a thread dump asks for, and how far.
 *
 * <pre>{@code
 * ThreadDump dump =
 *     JvmTools.threadDump(DumpOptions.defaults().threads(workers).depth(32).withoutSuspension());
 * }</pre>
 *
 * <p>Options do not change: each method answers others.
 */
public final class DumpOptions {

  private static final DumpOptions DEFAULTS =
      new DumpOptions(
          Duration.ofSeconds(1), true, null, Integer.MAX_VALUE, Set.of(DumpPart.values()));

  private final Duration deadline;
  private final boolean suspends;
  private final @Nullable List<Thread> threads;
  private final int depth;
  private final Set<DumpPart> parts;

  private DumpOptions(
      Duration deadline,
      boolean suspends,
      @Nullable List<Thread> threads,
      int depth,
      Set<DumpPart> parts) {
    this.deadline = deadline;
    this.suspends = suspends;
    this.threads = threads;
    this.depth = depth;
    this.parts = parts;
  }

  /**
   * All threads, whole stacks, every part that can be had, and threads that stand still for a
   * second at most.
   *
   * @return the options of {@link Dumps#take()}
   */
  public static DumpOptions defaults() {
    return DEFAULTS;
  }

  /**
   * For how long threads may stand still. If that is not enough they are resumed, and the dump is
   * taken again while they go on. Then each of what they own, what they wait for and who owns that
   * is asked for as long at most, and {@link ThreadDump#unknown()} says of what some is missing.
   *
   * <p>Then the stacks are read while the JVM stops all threads for that alone, and no deadline
   * bounds it: some tens of milliseconds for each thousand threads, in one go, and deep ones a few
   * at a time ({@link DumpConsistency#SAFEPOINT}).
   *
   * @param deadline the time
   * @return options with this deadline
   * @throws IllegalArgumentException if it is not positive
   */
  public DumpOptions deadline(Duration deadline) {
    requireNonNull(deadline, "deadline");
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("deadline must be positive: " + deadline);
    }
    return new DumpOptions(deadline, suspends, threads, depth, parts);
  }

  /**
   * Lets threads go on while the dump is taken: only the stacks belong to one moment, and not all
   * that are deep ({@link DumpConsistency#SAFEPOINT}).
   *
   * @return options without suspension
   */
  public DumpOptions withoutSuspension() {
    return new DumpOptions(deadline, false, threads, depth, parts);
  }

  /**
   * Only these threads, virtual ones too. Nobody else is suspended, and deadlocks are found among
   * them alone: where one of them waits for another thread, they are not {@linkplain
   * ThreadDump#deadlocksKnown() known}.
   *
   * @param threads the threads; those that are not alive are left out
   * @return options with these threads
   */
  public DumpOptions threads(Collection<Thread> threads) {
    Thread[] chosen = requireNonNull(threads, "threads").toArray(new Thread[0]);
    // What a thread says of itself is not asked: `equals` is not final.
    Set<Thread> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Thread> each =
        Stream.of(Lists.requireNoneNull(chosen, "threads")).filter(seen::add).toList();
    return new DumpOptions(deadline, suspends, each, depth, parts);
  }

  /**
   * No more frames of each thread than these, the innermost ones. {@link
   * DumpedThread#hasMoreFrames()} tells where there are more. What deeper frames have entered is
   * {@linkplain DumpedThread#monitorsOfNoFrame() of no frame}.
   *
   * @param frames how many
   * @return options with this depth
   * @throws IllegalArgumentException if it is not positive
   */
  public DumpOptions depth(int frames) {
    if (frames <= 0) {
      throw new IllegalArgumentException("frames must be positive: " + frames);
    }
    return new DumpOptions(deadline, suspends, threads, frames, parts);
  }

  /**
   * No other parts than these, as far as they can be had.
   *
   * @param parts the parts; none at all for states, stacks and locks
   * @return options with these parts
   */
  public DumpOptions parts(DumpPart... parts) {
    requireNonNull(parts, "parts");
    Set<DumpPart> some = EnumSet.noneOf(DumpPart.class);
    some.addAll(List.of(Lists.requireNoneNull(parts.clone(), "parts")));
    return new DumpOptions(deadline, suspends, threads, depth, some);
  }

  Duration deadline() {
    return deadline;
  }

  /**
   * Whether threads are to stand still meanwhile.
   *
   * @return whether they are
   */
  public boolean suspends() {
    return suspends;
  }

  /** The only ones, or null for all. */
  @Nullable List<Thread> threads() {
    return threads;
  }

  int depth() {
    return depth;
  }

  boolean has(DumpPart part) {
    return parts.contains(part);
  }

  /**
   * What was asked for.
   *
   * @return on one line
   */
  @Override
  public String toString() {
    return "%s threads, %s frames, %s, %s within %s"
        .formatted(
            threads == null ? "all" : threads.size(),
            depth == Integer.MAX_VALUE ? "all" : depth,
            parts,
            suspends ? "suspended" : "running",
            deadline);
  }
}
