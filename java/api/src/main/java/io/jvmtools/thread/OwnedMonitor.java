package io.jvmtools.thread;

import static java.util.Objects.requireNonNull;

import java.util.OptionalInt;

/**
 * An object whose monitor a thread owns, and the frame that entered the monitor.
 *
 * @param object the object; this record keeps it alive
 * @param depth the depth of the innermost frame that entered the monitor, 0 for the innermost frame
 *     of all; empty if native code entered it
 */
public record OwnedMonitor(Object object, OptionalInt depth) {

  /**
   * Refuses {@code null} components.
   *
   * @param object the object
   * @param depth the depth of the frame that entered the monitor
   */
  public OwnedMonitor {
    requireNonNull(object, "object");
    requireNonNull(depth, "depth");
  }

  /**
   * The class and the identity of the object, and the depth. Calls no method of the object.
   *
   * @return for example {@code "com.acme.Order@1b6d3586 entered at depth 2"} or {@code
   *     "com.acme.Order@1b6d3586 entered by native code"}
   */
  @Override
  public String toString() {
    String identity = Integer.toHexString(System.identityHashCode(object));
    return object.getClass().getName()
        + "@"
        + identity
        + " entered "
        + (depth.isPresent() ? "at depth " + depth.getAsInt() : "by native code");
  }
}
