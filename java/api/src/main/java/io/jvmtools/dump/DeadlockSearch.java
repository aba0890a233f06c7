package io.jvmtools.dump;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * How a dump looks for deadlocks over monitors.
 *
 * @param managed tells what blocked threads wait for, by their numbers, where the JVM does not
 * @param line what the dump says of it, if anything
 * @param looks whether it looks at all
 * @param seesPlatform whether all platform threads are in the dump
 * @param seesVirtual whether all virtual ones are
 */
record DeadlockSearch(
    BiFunction<long[], LongPredicate, Map<Long, ManagedWaits.Wait>> managed,
    Optional<String> line,
    boolean looks,
    boolean seesPlatform,
    boolean seesVirtual) {

  /** What the JVM itself has told, of all threads. */
  static final DeadlockSearch BY_THE_JVM = quiet(Optional.empty(), true, true, true);

  /** Those that are started by themselves are not, if this says so. */
  private static final String TRACKED = "jdk.trackAllThreads";

  static DeadlockSearch of(DumpOptions options, DumpParts parts, Supplier<List<Thread>> threads) {
    boolean all = options.threads() == null;
    boolean virtual = all && listsVirtualThreads();
    if (parts.findsDeadlocks()) {
      return quiet(Optional.empty(), true, all, virtual);
    }
    if (!options.has(DumpPart.CONTENDED_MONITORS)) {
      return quiet(Optional.empty(), false, all, virtual);
    }
    Optional<String> refusal = ManagedWaits.refusal(threads);
    return refusal.isEmpty()
        ? new DeadlockSearch(ManagedWaits::ask, Optional.of(ManagedWaits.ASKED), true, all, virtual)
        : quiet(refusal.map(why -> "deadlocks over monitors: " + why), false, all, virtual);
  }

  /** Whether the JDK keeps track of each virtual thread. */
  static boolean listsVirtualThreads() {
    String tracked = System.getProperty(TRACKED, "");
    return tracked.isEmpty() || Boolean.parseBoolean(tracked);
  }

  /** Whether all threads of a kind are in the dump. */
  boolean sees(boolean virtual) {
    return virtual ? seesVirtual : seesPlatform;
  }

  /** Whether the JDK's bean tells who waits for whom. */
  boolean asksTheBean() {
    return looks && line.isPresent();
  }

  /**
   * What the dump says of it, if anything.
   *
   * @param anyIsBlocked whether a thread waits for a monitor
   * @param known whether all deadlocks are known
   */
  Optional<String> line(boolean anyIsBlocked, boolean known) {
    if (!asksTheBean()) {
      return line;
    }
    return anyIsBlocked
        ? Optional.of(known ? ManagedWaits.ASKED_LATER : ManagedWaits.ASKED)
        : Optional.empty();
  }

  /** What an environment cannot tell, in the light of this. */
  List<String> unknown(DumpParts parts) {
    return asksTheBean() ? parts.unknownButDeadlocks() : parts.unknown();
  }

  private static DeadlockSearch quiet(
      Optional<String> line, boolean looks, boolean platform, boolean virtual) {
    return new DeadlockSearch((none, blocked) -> Map.of(), line, looks, platform, virtual);
  }
}
