package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.DefaultEnvironment.Borrowed;
import io.jvmtools.internal.CapabilityMasks;
import io.jvmtools.internal.DumpFacts;
import io.jvmtools.internal.DumpNatives;
import io.jvmtools.internal.NativeLibrary;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Takes thread dumps for both doors.
 *
 * <p>On the current thread the call itself is on the stack, as in {@link Stacks}, which is why the
 * public methods call this class directly.
 */
final class Dumps {

  /** For how long a dump may keep threads suspended if its caller does not say. */
  static final Duration DEADLINE = Duration.ofSeconds(1);

  /** The native, two methods of this class, the public method. */
  private static final int OWN = 4;

  private static final List<Capability> FREE =
      List.of(
          Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO,
          Capability.CAN_GET_CURRENT_CONTENDED_MONITOR,
          Capability.CAN_GET_MONITOR_INFO,
          Capability.CAN_GET_THREAD_CPU_TIME);

  private Dumps() {}

  /** With exactly the capabilities that the environment holds. */
  static ThreadDump take(Jvmti jvmti, Duration deadline) {
    requireNonNull(deadline, "deadline");
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("deadline must be positive: " + deadline);
    }
    return read(jvmti, deadline);
  }

  /** With what the default environment can have without a restart, but for local variables. */
  static ThreadDump takeByDefault() {
    Jvmti jvmti = DefaultEnvironment.get();
    Set<Capability> obtainable = jvmti.capabilities().obtainable();
    for (Capability capability : FREE) {
      if (obtainable.contains(capability)) {
        tryToHold(capability);
      }
    }
    try (Borrowed suspending = DefaultEnvironment.borrowing(Capability.CAN_SUSPEND)) {
      tryToSuspend(suspending);
      return read(jvmti, DEADLINE);
    }
  }

  /** Without it the dump says what it lacks. */
  private static void tryToHold(Capability capability) {
    try {
      DefaultEnvironment.with(capability);
    } catch (StalledException gaveUp) {
      // The dump finds out again, and why.
    }
  }

  /** Without it the dump says what it lacks. */
  private static void tryToSuspend(Borrowed suspending) {
    try {
      suspending.environment();
    } catch (MissingCapabilityException | NotSupportedException | StalledException heldByAnother) {
      // The dump finds out again, and why.
    }
  }

  private static ThreadDump read(Jvmti jvmti, Duration deadline) {
    long env = jvmti.handle();
    DumpParts parts = DumpParts.of(CapabilityMasks.read(env), NativeLibrary::file);
    Thread[] virtual = DumpNatives.virtualThreads(env);
    DumpHeader header = DumpHeader.now();
    long nanos = nanos(deadline);
    DumpFacts facts = null;
    while (facts == null) {
      header = DumpHeader.now();
      try {
        facts = (DumpFacts) DumpNatives.collect(env, virtual, nanos, parts.bits());
        if (facts.expired()) {
          parts =
              parts.withoutSuspension(
                  "the threads could not be read within " + deadline + " of their suspension");
          facts = null;
        }
      } catch (StalledException stalled) {
        parts = lessThan(parts, Capability.CAN_SUSPEND, stalled);
      } catch (MissingCapabilityException givenUp) {
        // By another thread, a moment ago.
        parts = lessThan(parts, givenUp.capability(), givenUp);
      }
    }
    ThreadDump dump = new DumpReader(facts, OWN).read(header, parts.unknown());
    if (!parts.suspends() && !dump.deadlocks().isEmpty()) {
      // The threads went on meanwhile. A deadlock stays, a coincidence does not.
      facts = (DumpFacts) DumpNatives.collect(env, virtual, nanos, parts.bits());
      dump = dump.confirmedBy(new DumpReader(facts, OWN).read(header, parts.unknown()));
    }
    return jvmti.keep(dump);
  }

  /** What to ask for after a refusal: less each time, so that there is an end. */
  private static DumpParts lessThan(DumpParts parts, Capability missing, RuntimeException refusal) {
    DumpParts less = parts.without(missing, String.valueOf(refusal.getMessage()));
    if (less.bits() == parts.bits()) {
      throw refusal;
    }
    return less;
  }

  private static long nanos(Duration deadline) {
    try {
      return deadline.toNanos();
    } catch (ArithmeticException longerThanTheJvmLives) {
      return Long.MAX_VALUE;
    }
  }
}
