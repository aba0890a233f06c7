package io.jvmtools.internal;

import static java.util.Objects.requireNonNull;

import java.util.List;

/** Copies the lists that records are made of. */
public final class Lists {

  private Lists() {}

  /** An unmodifiable copy; a missing list or element is a failure that names the parameter. */
  public static <T> List<T> copyOf(List<T> list, String name) {
    for (T element : requireNonNull(list, name)) {
      requireNonNull(element, name);
    }
    return List.copyOf(list);
  }
}
