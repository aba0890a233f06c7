package io.jvmtools;

import io.jvmtools.internal.CapabilityMasks;
import io.jvmtools.internal.CapabilityNatives;
import io.jvmtools.internal.Failures;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
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
   * The environment, for as long as it needs a capability that only one can hold. If another one
   * holds it, asking for the environment is a {@link MissingCapabilityException}.
   */
  static Borrowed borrowing(Capability capability) {
    return new Borrowed(get(), capability);
  }

  /**
   * The environment with a capability that it returns when this is closed. It borrows when it is
   * first asked, within the {@code try} that closes it, and native code notes that it has: whatever
   * arrives here in between, a stack overflow perhaps, what was borrowed is returned.
   */
  static final class Borrowed implements AutoCloseable {

    private final Jvmti environment;
    private final Set<Capability> wanted;
    private final boolean[] has = {false};

    private Borrowed(Jvmti environment, Capability capability) {
      this.environment = environment;
      this.wanted = Set.of(capability);
    }

    Jvmti environment() {
      if (!has[0]) {
        try {
          CapabilityNatives.borrowCapabilities(
              environment.handle(), Capability.toBits(wanted), has);
        } catch (NotSupportedException refused) {
          throw Failures.refused(wanted, CapabilityMasks.read(environment.handle()), refused);
        }
      }
      return environment;
    }

    Threads threads() {
      return environment().threads();
    }

    @Override
    public void close() {
      CapabilityNatives.returnCapabilities(environment.handle(), Capability.toBits(wanted), has);
    }
  }

  /**
   * Without a lock, because opening may load the library and thereby call a user's class loader.
   */
  private static Jvmti open() {
    Jvmti opened = Jvmti.open();
    if (ENVIRONMENT.compareAndSet(null, opened)) {
      return opened;
    }
    opened.close();
    return get();
  }
}
