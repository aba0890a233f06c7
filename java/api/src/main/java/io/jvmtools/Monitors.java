package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.OwnedMonitorFacts;
import io.jvmtools.internal.ThreadNatives;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

/**
 * Reads owned monitors for both doors.
 *
 * <p>On the current thread the call itself is on the stack, as in {@link Stacks}, which is why the
 * public methods call this class directly.
 */
final class Monitors {

  /** The native, the method of this class, the public method. */
  private static final int OWN = 3;

  private Monitors() {}

  static List<OwnedMonitor> owned(Jvmti jvmti, Thread thread) {
    Thread other = Threads.nullIfCurrent(thread);
    Object facts = ThreadNatives.getOwnedMonitorStackDepthInfo(jvmti.handle(), other);
    return jvmti.keep(list((OwnedMonitorFacts) facts, other == null ? OWN : 0));
  }

  static List<OwnedMonitor> list(OwnedMonitorFacts facts, int ownFrames) {
    List<OwnedMonitor> owned = new ArrayList<>(facts.monitors().length);
    for (int i = 0; i < facts.monitors().length; i++) {
      int depth = facts.depths()[i];
      owned.add(
          new OwnedMonitor(
              requireNonNull(facts.monitors()[i]),
              depth < 0 ? OptionalInt.empty() : OptionalInt.of(depth - ownFrames)));
    }
    return Collections.unmodifiableList(owned);
  }
}
