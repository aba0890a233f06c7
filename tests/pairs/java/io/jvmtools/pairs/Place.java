package io.jvmtools.pairs;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** An environment that is opened again when it was closed. */
final class Place {

  private final AtomicReference<Jvmti> current = new AtomicReference<>();
  private final Set<Capability> capabilities;

  /** What it tries to hold too, as long as nobody else does. */
  private final Set<Capability> solo;

  Place(Set<Capability> capabilities, Set<Capability> solo) {
    this.capabilities = capabilities;
    this.solo = solo;
  }

  /** The environment, open a moment ago. */
  Jvmti environment(Stay stay) {
    Jvmti known = current.get();
    if (known != null && isOpen(known, stay)) {
      return known;
    }
    Jvmti fresh = opened(stay);
    if (current.compareAndSet(known, fresh)) {
      return fresh;
    }
    close(fresh, stay);
    return environment(stay);
  }

  /** The environment, open or closed, or null if there is none yet. */
  Jvmti last() {
    return current.get();
  }

  void close(Stay stay) {
    Jvmti known = current.getAndSet(null);
    if (known != null) {
      close(known, stay);
    }
  }

  static void close(Jvmti environment, Stay stay) {
    stay.enter("Jvmti.close()", Bounds.CLOSE);
    environment.close();
    stay.leave();
  }

  private static boolean isOpen(Jvmti environment, Stay stay) {
    stay.enter("Jvmti.isOpen()", Bounds.CALL);
    boolean open = environment.isOpen();
    stay.leave();
    return open;
  }

  private Jvmti opened(Stay stay) {
    stay.enter("Jvmti.open(Set)", Bounds.CALL);
    Jvmti environment = Jvmti.open(capabilities);
    stay.leave();
    for (Capability wanted : solo) {
      stay.enter("Jvmti.add(Capability[])", Bounds.CALL);
      try {
        environment.add(wanted);
      } catch (MissingCapabilityException heldByAnother) {
        // It goes without.
      }
      stay.leave();
    }
    return environment;
  }
}
