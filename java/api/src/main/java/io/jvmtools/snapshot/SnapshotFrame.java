package io.jvmtools.snapshot;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.Lists;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A frame of the stack of a snapshot.
 *
 * @param element the class, the method and the line
 * @param variables what was in scope there, in the order of the class file; none where variables
 *     were not to be kept, and of native methods
 */
public record SnapshotFrame(StackTraceElement element, List<SnapshotVariable> variables) {

  /**
   * Copies the list, and refuses what is {@code null}.
   *
   * @param element where it is
   * @param variables what was in scope there
   */
  public SnapshotFrame {
    requireNonNull(element, "element");
    variables = Lists.copyOf(variables, "variables");
  }

  /**
   * The frame as a line.
   *
   * @return for example {@code "at com.acme.Cart.reserve(Cart.java:42) total = 130, retries = 3"}
   */
  @Override
  public String toString() {
    String all = variables.stream().map(Object::toString).collect(Collectors.joining(", "));
    return "at " + element + (all.isEmpty() ? "" : "   " + all);
  }
}
