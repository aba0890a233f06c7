package io.jvmtools.dump;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.Escapes;

/**
 * Which thread it is that owns a lock or a scope, or carries another one, as a {@link ThreadDump}
 * remembers it.
 *
 * @param name its name
 * @param id its number, as {@link Thread#getId()} of the JDK has it
 */
public record DumpedName(String name, long id) {

  /**
   * Refuses {@code null} components.
   *
   * @param name its name
   * @param id its number
   */
  public DumpedName {
    requireNonNull(name, "name");
  }

  /**
   * The thread as the header of its block names it.
   *
   * @return for example {@code "\"teller-1\" #27"}
   */
  @Override
  public String toString() {
    return '"' + Escapes.line(name) + "\" #" + id;
  }
}
