package io.jvmtools.dump;

import static java.util.Objects.requireNonNull;

/**
 * The thread that owns a lock, as a {@link ThreadDump} remembers it.
 *
 * @param name its name
 * @param id its number, as {@link Thread#getId()} of the JDK has it
 */
public record DumpedOwner(String name, long id) {

  /**
   * Refuses {@code null} components.
   *
   * @param name its name
   * @param id its number
   */
  public DumpedOwner {
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
