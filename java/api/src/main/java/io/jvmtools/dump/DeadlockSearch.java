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
 * @param isOfSome whether it looks among some threads alone
 */
record DeadlockSearch(
    BiFunction<long[], LongPredicate, Map<Long, ManagedWaits.Wait>> managed,
    Optional<String> line,
    boolean looks,
    boolean isOfSome) {

  /** What the JVM itself has told, of all threads. */
  static final DeadlockSearch BY_THE_JVM = quiet(Optional.empty(), true, false);

  static DeadlockSearch of(DumpOptions options, DumpParts parts, Supplier<List<Thread>> threads) {
    boolean isOfSome = options.threads() != null;
    if (parts.findsDeadlocks()) {
      return quiet(Optional.empty(), true, isOfSome);
    }
    if (!options.has(DumpPart.CONTENDED_MONITORS)) {
      return quiet(Optional.empty(), false, isOfSome);
    }
    Optional<String> refusal = ManagedWaits.refusal(threads);
    return refusal.isEmpty()
        ? new DeadlockSearch(ManagedWaits::ask, Optional.of(ManagedWaits.ASKED), true, isOfSome)
        : quiet(refusal.map(why -> "deadlocks over monitors: " + why), false, isOfSome);
  }

  /** Whether the JDK's bean tells who waits for whom. */
  boolean asksTheBean() {
    return looks && line.isPresent();
  }

  /** What an environment cannot tell, in the light of this. */
  List<String> unknown(DumpParts parts) {
    return asksTheBean() ? parts.unknownButDeadlocks() : parts.unknown();
  }

  private static DeadlockSearch quiet(Optional<String> line, boolean looks, boolean isOfSome) {
    return new DeadlockSearch((none, blocked) -> Map.of(), line, looks, isOfSome);
  }
}
