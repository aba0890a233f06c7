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
 */
record DeadlockSearch(
    BiFunction<long[], LongPredicate, Map<Long, ManagedWaits.Wait>> managed,
    Optional<String> line,
    boolean looks) {

  /** What the JVM itself has told. */
  static final DeadlockSearch BY_THE_JVM = quiet(Optional.empty(), true);

  static DeadlockSearch of(DumpOptions options, DumpParts parts, Supplier<List<Thread>> threads) {
    if (parts.findsDeadlocks()) {
      return BY_THE_JVM;
    }
    if (!options.has(DumpPart.CONTENDED_MONITORS)) {
      return quiet(Optional.empty(), false);
    }
    Optional<String> refusal = ManagedWaits.refusal(threads);
    return refusal.isEmpty()
        ? new DeadlockSearch(ManagedWaits::ask, Optional.of(ManagedWaits.ASKED), true)
        : quiet(refusal.map(why -> "deadlocks over monitors: " + why), false);
  }

  /** Whether the JDK's bean tells who waits for whom. */
  boolean asksTheBean() {
    return looks && line.isPresent();
  }

  /** What an environment cannot tell, in the light of this. */
  List<String> unknown(DumpParts parts) {
    return asksTheBean() ? parts.unknownButDeadlocks() : parts.unknown();
  }

  private static DeadlockSearch quiet(Optional<String> line, boolean looks) {
    return new DeadlockSearch((none, blocked) -> Map.of(), line, looks);
  }
}
