package io.jvmtools.thread;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.thread.OwnedMonitorFacts;
import io.jvmtools.internal.thread.ThreadNatives;
import io.jvmtools.internal.thread.ThreadReferences;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;

/**
 * Reads owned monitors.
 *
 * <p>On the current thread the call itself is on the stack, as for whoever reads one: the native, a
 * method of this class, the public method, and whatever the environment says stands above that.
 */
final class Monitors {

  /** The native, the method of this class, the public method. */
  private static final int OWN = 3;

  private Monitors() {}

  static List<OwnedMonitor> owned(Environment environment, Thread thread) {
    Thread other = ThreadReferences.nullIfCurrent(thread);
    Object facts = ThreadNatives.getOwnedMonitorStackDepthInfo(environment.handle(), other);
    return environment.keep(
        list((OwnedMonitorFacts) facts, other == null ? OWN + environment.framesAbove() : 0));
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
