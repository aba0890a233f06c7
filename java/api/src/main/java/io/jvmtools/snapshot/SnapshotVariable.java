package io.jvmtools.snapshot;

import static java.util.Objects.requireNonNull;

/**
 * A variable, or a part of an object, and what it held.
 *
 * @param name its name; empty for an element of an array or a collection
 * @param value what it held
 */
public record SnapshotVariable(String name, SnapshotValue value) {

  /**
   * Refuses a {@code null}.
   *
   * @param name its name
   * @param value what it held
   */
  public SnapshotVariable {
    requireNonNull(name, "name");
    requireNonNull(value, "value");
  }

  /**
   * The variable as an assignment.
   *
   * @return for example {@code "total = 130"}
   */
  @Override
  public String toString() {
    return name + " = " + value;
  }
}
