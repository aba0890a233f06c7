package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.internal.environment.CapabilityMasks;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which capabilities an environment holds, and for each of the others why it does not: a snapshot.
 *
 * <p>Every {@link Capability} is in exactly one of the sets {@link #held()}, {@link #obtainable()},
 * {@link #onlyAtStart()}, {@link #heldByOther()} and {@link #never()}. It prints as a table.
 */
public final class Capabilities {

  private static final int COLUMN = 49;

  private final CapabilityMasks masks;

  Capabilities(CapabilityMasks masks) {
    this.masks = masks;
  }

  /**
   * What the environment holds.
   *
   * @return an unmodifiable set
   */
  public Set<Capability> held() {
    return where(Optional.empty());
  }

  /**
   * What {@link Jvmti#add(Capability...)} would get now, or as soon as a call of {@link JvmTools}
   * that has it for as long as it is inside has ended.
   *
   * @return an unmodifiable set
   */
  public Set<Capability> obtainable() {
    return where(Optional.of(Reason.NOT_REQUESTED));
  }

  /**
   * What can be had only in a JVM that was started with the agent, by {@code -agentpath}.
   *
   * @return an unmodifiable set; in such a JVM only what its {@code prepare} option left out
   */
  public Set<Capability> onlyAtStart() {
    return where(Optional.of(Reason.NEEDS_AGENT_AT_START));
  }

  /**
   * What another environment keeps, because only one can hold it at a time.
   *
   * @return an unmodifiable set
   */
  public Set<Capability> heldByOther() {
    return where(Optional.of(Reason.HELD_BY_ANOTHER_ENVIRONMENT));
  }

  /**
   * What this JVM does not offer at all.
   *
   * @return an unmodifiable set
   */
  public Set<Capability> never() {
    return where(Optional.of(Reason.NEVER_ON_THIS_VM));
  }

  /**
   * Why the environment does not hold a capability.
   *
   * @param capability the capability
   * @return the reason, empty if the environment holds it
   */
  public Optional<Reason> missing(Capability capability) {
    return masks.missing(requireNonNull(capability, "capability"));
  }

  private Set<Capability> where(Optional<Reason> reason) {
    EnumSet<Capability> set = EnumSet.noneOf(Capability.class);
    for (Capability capability : Capability.values()) {
      if (missing(capability).equals(reason)) {
        set.add(capability);
      }
    }
    return Collections.unmodifiableSet(set);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Capabilities that && masks.equals(that.masks);
  }

  @Override
  public int hashCode() {
    return masks.hashCode();
  }

  /**
   * A table of at most 100 columns: each set that is not empty under its heading, two names a line.
   *
   * @return the lines, without a line end after the last
   */
  @Override
  public String toString() {
    StringBuilder table = new StringBuilder();
    group(table, "held", held());
    group(table, "obtainable now", obtainable());
    group(
        table,
        "only with -agentpath" + (masks.atStart() == 0 ? "" : " and prepare="),
        onlyAtStart());
    group(table, "held by another environment", heldByOther());
    group(table, "never on this VM", never());
    return table.toString();
  }

  private static void group(StringBuilder table, String heading, Set<Capability> set) {
    if (set.isEmpty()) {
      return;
    }
    String lineEnd = System.lineSeparator();
    table.append(table.isEmpty() ? "" : lineEnd).append(heading);
    table.append(" (").append(set.size()).append(')');
    int padding = 0;
    boolean left = true;
    for (Capability capability : set) {
      String name = capability.name();
      table.append(left ? lineEnd + "  " : " ".repeat(padding)).append(name);
      padding = COLUMN - name.length();
      left = !left;
    }
  }
}
