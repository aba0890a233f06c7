package io.jvmtools.system;

import static java.util.Objects.requireNonNull;

/**
 * A parameter of an extension function or event, as native code would pass it.
 *
 * @param name its name, as the JVM gives it; HotSpot repeats that of the function
 * @param kind in which direction it goes
 * @param type the type of the value, or of what it points to
 * @param isNullable whether it may be {@code NULL}
 */
public record ExtensionParameter(
    String name, ParameterKind kind, ParameterType type, boolean isNullable) {

  /**
   * Refuses what is {@code null}.
   *
   * @param name its name
   * @param kind in which direction it goes
   * @param type the type of the value
   * @param isNullable whether it may be {@code NULL}
   */
  public ExtensionParameter {
    requireNonNull(name, "name");
    requireNonNull(kind, "kind");
    requireNonNull(type, "type");
  }

  /**
   * Kind, type and name.
   *
   * @return for example {@code "OUT JTHREAD GetVirtualThread"}
   */
  @Override
  public String toString() {
    return kind + " " + type + " " + name + (isNullable ? " or null" : "");
  }
}
