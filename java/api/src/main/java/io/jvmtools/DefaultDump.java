package io.jvmtools;

import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.Dumps;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.stack.FrameNatives;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The thread dump of {@link JvmTools}: all that can be had without a restart, but for locals. */
final class DefaultDump {

  private static final Maker<Environment, Dumps> DUMPS = Makers.of(Dumps.class);

  /** Where frames are counted first: in the native, a method of this class, the public method. */
  private static final int COUNTING = 3;

  private static final List<Capability> FREE =
      List.of(
          Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO,
          Capability.CAN_GET_CURRENT_CONTENDED_MONITOR,
          Capability.CAN_GET_MONITOR_INFO,
          Capability.CAN_GET_THREAD_CPU_TIME);

  private DefaultDump() {}

  static ThreadDump take(DumpOptions options) {
    Jvmti jvmti = DefaultEnvironment.get();
    int callers = FrameNatives.getFrameCount(jvmti.handle(), null) - COUNTING;
    Set<Capability> obtainable = jvmti.capabilities().obtainable();
    String stalled = holdAllOf(obtainable);
    if (stalled != null) {
      return read(jvmti.environment().withoutSuspension(stalled), callers, options);
    }
    if (!options.suspends()) {
      return read(jvmti.environment(), callers, options);
    }
    try {
      return DefaultEnvironment.borrowing(
          Capability.CAN_SUSPEND, env -> read(env.environment(), callers, options));
    } catch (MissingCapabilityException | NotSupportedException | StalledException notLent) {
      // Without it the dump says what it lacks, and why. Other calls may have it a moment later.
      String why = String.valueOf(notLent.getMessage());
      return read(jvmti.environment().withoutSuspension(why), callers, options);
    }
  }

  /**
   * Without one that cannot be had the dump says what it lacks.
   *
   * @return why nobody need ask for more: who is to do it does not answer; {@code null} if he does
   */
  private static @Nullable String holdAllOf(Set<Capability> obtainable) {
    for (Capability capability : FREE) {
      if (obtainable.contains(capability)) {
        try {
          DefaultEnvironment.with(capability);
        } catch (StalledException gaveUp) {
          return String.valueOf(gaveUp.getMessage());
        }
      }
    }
    return null;
  }

  /** With {@code callers} frames on this thread's stack that are not ours. */
  private static ThreadDump read(Environment environment, int callers, DumpOptions options) {
    int withTheNative = FrameNatives.getFrameCount(environment.handle(), null) - callers;
    return DUMPS.make(environment.below(withTheNative - 1)).take(options);
  }
}
