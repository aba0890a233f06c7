package io.jvmtools.fuzz;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Environments: open ones, closed ones, and those that another thread is just closing. */
final class Environments {

  private static final int OPEN = 6;
  private static final int CLOSED = 4;

  private final AtomicReferenceArray<Jvmti> open = new AtomicReferenceArray<>(OPEN);
  private final AtomicReferenceArray<Jvmti> closed = new AtomicReferenceArray<>(CLOSED);

  /** Most often an open one. */
  Jvmti any(Random random) {
    if (random.nextInt(12) == 0) {
      Jvmti gone = closed.get(random.nextInt(CLOSED));
      if (gone != null) {
        return gone;
      }
    }
    int slot = random.nextInt(OPEN);
    Jvmti environment = open.get(slot);
    if (environment != null && environment.isOpen()) {
      return environment;
    }
    if (environment != null) {
      closed.set(random.nextInt(CLOSED), environment);
    }
    return put(slot, environment, opened(random));
  }

  /** Takes one in that a method has opened. */
  void add(Jvmti environment, Random random) {
    int slot = random.nextInt(OPEN);
    Jvmti former = open.get(slot);
    put(slot, former, environment);
    if (former != null && random.nextInt(10) != 0) {
      former.close();
    }
  }

  void closeAll() {
    for (int i = 0; i < OPEN; i++) {
      Jvmti environment = open.getAndSet(i, null);
      if (environment != null) {
        environment.close();
      }
    }
    for (int i = 0; i < CLOSED; i++) {
      closed.set(i, null);
    }
  }

  private Jvmti put(int slot, Jvmti former, Jvmti environment) {
    if (!open.compareAndSet(slot, former, environment)) {
      environment.close();
    }
    return environment;
  }

  private static Jvmti opened(Random random) {
    Jvmti environment = Jvmti.open();
    int density = 1 + random.nextInt(4);
    for (Capability capability : Capability.values()) {
      if (random.nextInt(4) < density) {
        try {
          environment.add(capability);
        } catch (MissingCapabilityException e) {
          // It goes without.
        }
      }
    }
    return environment;
  }
}
