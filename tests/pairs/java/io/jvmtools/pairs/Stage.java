package io.jvmtools.pairs;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.fuzz.Contracts;
import io.jvmtools.fuzz.Pools;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What all pairs of a JVM share. */
final class Stage {

  private final Thread main = Thread.currentThread();
  private final Pools pools = new Pools();
  private final Contracts contracts = new Contracts();
  private final Findings findings = new Findings();
  private final Jvmti own = Jvmti.open();
  private final Set<Capability> obtainable = new TreeSet<>(own.capabilities().obtainable());
  private final Set<Capability> shared = new TreeSet<>(Operations.capabilities());
  private final Set<Capability> solo = new TreeSet<>();
  private final List<Capability> asked;

  Stage() {
    pools.victims().populate();
    shared.retainAll(obtainable);
    asked = List.copyOf(shared);
    solo.addAll(shared);
    solo.removeIf(capability -> !capability.solo());
    shared.removeAll(solo);
  }

  /** Who has set it up, and looks at all others. */
  Thread main() {
    return main;
  }

  Pools pools() {
    return pools;
  }

  Contracts contracts() {
    return contracts;
  }

  Findings findings() {
    return findings;
  }

  /** An environment that nobody calls but the disturber. */
  Jvmti own() {
    return own;
  }

  /** What the operations need that several environments can hold. */
  Set<Capability> shared() {
    return shared;
  }

  /** What the operations need that only one environment at a time can hold. */
  Set<Capability> solo() {
    return solo;
  }

  /** What the operations ask for. */
  List<Capability> asked() {
    return asked;
  }

  /** One that never returns, though it could, is no test of anything. */
  void demandReturn(Operation operation) {
    if (hasYetToReturn(operation)) {
      findings.add(operation + "returns", operation + " never returns");
    }
  }

  /** Whether it could return here, and has not. */
  boolean hasYetToReturn(Operation operation) {
    return offers(operation) && !operation.target().hasReturned();
  }

  /** Whether this JVM has what an operation needs. */
  boolean offers(Operation operation) {
    return obtainable.containsAll(operation.capabilities()) && operation.isOfThisJdk();
  }
}
