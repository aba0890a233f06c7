package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.CapabilityMasks;
import io.jvmtools.internal.DumpFacts;
import io.jvmtools.internal.DumpNatives;
import io.jvmtools.internal.FrameNatives;
import io.jvmtools.internal.NativeLibrary;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  /** Where frames are counted first: in the native, a method of this class, the public method. */
  private static final int COUNTING = 3;

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
    int callers = FrameNatives.getFrameCount(jvmti.handle(), null) - COUNTING;
    return read(jvmti, deadline, callers);
  }

  /** With what the default environment can have without a restart, but for local variables. */
  static ThreadDump takeByDefault() {
    Jvmti jvmti = DefaultEnvironment.get();
    int callers = FrameNatives.getFrameCount(jvmti.handle(), null) - COUNTING;
    Set<Capability> obtainable = jvmti.capabilities().obtainable();
    for (Capability capability : FREE) {
      if (obtainable.contains(capability)) {
        tryToHold(capability);
      }
    }
    try {
      return DefaultEnvironment.borrowing(
          Capability.CAN_SUSPEND, env -> read(env, DEADLINE, callers));
    } catch (MissingCapabilityException | NotSupportedException | StalledException notLent) {
      // Without it the dump says what it lacks, and why.
      return read(jvmti, DEADLINE, callers);
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

  /** With {@code callers} frames on this thread's stack that are not ours. */
  private static ThreadDump read(Jvmti jvmti, Duration deadline, int callers) {
    long env = jvmti.handle();
    int own = FrameNatives.getFrameCount(env, null) - callers;
    DumpParts parts = DumpParts.of(CapabilityMasks.read(env), NativeLibrary::file);
    Thread[] virtual = DumpNatives.virtualThreads(env);
    long nanos = nanos(deadline);
    DumpHeader header;
    DumpFacts facts = null;
    do {
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
    } while (facts == null);
    Map<Long, ManagedDeadlocks.Wait> managed = Map.of();
    if (!parts.findsDeadlocks() && ManagedDeadlocks.canBeAsked()) {
      // A deadlock stays: it is no matter that this is a moment later.
      managed = ManagedDeadlocks.ask();
      parts = parts.saying(ManagedDeadlocks.ASKED);
    }
    ThreadDump dump = new DumpReader(facts, own, managed).read(header, parts.unknown());
    if (!parts.suspends() && !dump.deadlocks().isEmpty()) {
      // The threads went on meanwhile. A deadlock stays, a coincidence does not.
      facts = (DumpFacts) DumpNatives.collect(env, virtual, nanos, parts.bits());
      dump = dump.confirmedBy(new DumpReader(facts, own, managed).read(header, parts.unknown()));
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
