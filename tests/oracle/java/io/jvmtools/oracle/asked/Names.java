package io.jvmtools.oracle.asked;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the observers call the objects of the scenarios: the same name in every JVM. */
public final class Names {

  private static final Map<Integer, String> MONITORS = new ConcurrentHashMap<>();

  private Names() {}

  /** An object that is called {@code name}. */
  public static Object object(String name) {
    Named object = new Named(name);
    MONITORS.put(System.identityHashCode(object), name);
    return object;
  }

  /** The name; the natives call this. */
  public static String of(Object object) {
    if (object instanceof Thread thread) {
      return thread.getName().isEmpty() ? "unnamed" : thread.getName();
    }
    if (object instanceof ThreadGroup group) {
      return group.getName();
    }
    if (object instanceof ClassLoader loader) {
      return String.valueOf(loader.getName());
    }
    if (object instanceof Module module) {
      return module.isNamed() ? module.getName() : "unnamed of " + of(module.getClassLoader());
    }
    if (object instanceof Class<?> type) {
      return type.getName();
    }
    if (object == null || object instanceof Named || object instanceof String) {
      return String.valueOf(object);
    }
    return "a " + object.getClass().getName();
  }

  /** The name of an object of which only the identity is known. */
  public static String ofIdentity(int identityHash) {
    return MONITORS.getOrDefault(identityHash, "unknown");
  }

  /** The names of some objects, sorted. */
  public static String ofAll(Collection<?> objects) {
    return sorted(objects.stream().map(Names::of), ",");
  }

  /** The names of some objects, in their order. */
  public static String inOrder(Collection<?> objects) {
    return objects.stream().map(Names::of).collect(Collectors.joining(","));
  }

  public static String sorted(Stream<String> parts, String separator) {
    return parts.sorted().collect(Collectors.joining(separator));
  }

  private record Named(String name) {
    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
