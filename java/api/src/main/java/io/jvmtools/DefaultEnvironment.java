package io.jvmtools;

import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.internal.environment.Bracketed;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.CapabilityMasks;
import io.jvmtools.internal.failure.Failures;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The environment behind {@link JvmTools}, one for each copy of these classes, never closed. */
final class DefaultEnvironment {

  private static final AtomicReference<@Nullable Jvmti> ENVIRONMENT = new AtomicReference<>();

  /** What has been added so far; replaced, never changed. */
  private static volatile Set<Capability> added = Set.of();

  private DefaultEnvironment() {}

  static Jvmti get() {
    Jvmti known = ENVIRONMENT.get();
    return known != null ? known : open();
  }

  /** The environment, once it holds a capability that others can hold too. */
  static Jvmti with(Capability capability) {
    Jvmti environment = get();
    if (!added.contains(capability)) {
      environment.add(capability);
      EnumSet<Capability> more = EnumSet.of(capability);
      more.addAll(added);
      added = more;
    }
    return environment;
  }

  /**
   * Asks the environment something while it holds a capability that only one can hold. If another
   * one holds it, that is a {@link MissingCapabilityException}.
   */
  static <T extends @Nullable Object> T borrowing(
      Capability capability, Function<Jvmti, T> question) {
    Jvmti environment = get();
    Bracketed<T> asked = new Bracketed<>(new Asked<>(question, environment));
    try {
      borrow(environment, capability, asked);
    } catch (NotSupportedException refused) {
      // This looks for forgotten environments: one of them may have held it.
      CapabilityMasks masks = CapabilityMasks.read(environment.handle());
      if (!masks.missing(capability).equals(Optional.of(Reason.NOT_REQUESTED))) {
        throw Failures.refused(Set.of(capability), masks, refused);
      }
      borrowAgain(environment, capability, asked);
    }
    return asked.outcome();
  }

  private static void borrowAgain(Jvmti environment, Capability capability, Bracketed<?> asked) {
    try {
      borrow(environment, capability, asked);
    } catch (NotSupportedException refused) {
      CapabilityMasks masks = CapabilityMasks.read(environment.handle());
      throw Failures.refused(Set.of(capability), masks, refused);
    }
  }

  private static void borrow(Jvmti environment, Capability capability, Bracketed<?> asked) {
    long wanted = Capability.toBits(Set.of(capability));
    CapabilitiesNatives.whileBorrowed(environment.handle(), wanted, asked);
  }

  /** No lambda: linking one could wait for a thread that is suspended. */
  private record Asked<T extends @Nullable Object>(Function<Jvmti, T> question, Jvmti environment)
      implements Bracketed.Action<T> {
    @Override
    public T run() {
      return question.apply(environment);
    }
  }

  /**
   * Without a lock, because opening may load the library and thereby call a user's class loader.
   */
  private static Jvmti open() {
    Jvmti opened = new Jvmti(1);
    if (ENVIRONMENT.compareAndSet(null, opened)) {
      return opened;
    }
    opened.close();
    return get();
  }
}
