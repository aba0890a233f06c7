package io.jvmtools.internal;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Set;

/** Lists and sets that callers pass: copied, and without a null. */
public final class Lists {

  private Lists() {}

  /** An unmodifiable copy; a missing list or element is a failure that names the parameter. */
  public static <T> List<T> copyOf(List<T> list, String name) {
    requireNoneNull(requireNonNull(list, name).toArray(), name);
    return List.copyOf(list);
  }

  /** The same of a set. */
  public static <T> Set<T> copyOf(Set<T> set, String name) {
    requireNoneNull(requireNonNull(set, name).toArray(), name);
    return Set.copyOf(set);
  }

  /**
   * Refuses a null among the elements, by its place: {@code threads[1]}.
   *
   * @return the elements
   */
  public static <T> T[] requireNoneNull(T[] elements, String name) {
    for (int i = 0; i < elements.length; i++) {
      if (elements[i] == null) {
        throw new NullPointerException(name + '[' + i + ']');
      }
    }
    return elements;
  }
}
