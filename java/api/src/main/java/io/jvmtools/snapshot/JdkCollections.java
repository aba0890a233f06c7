package io.jvmtools.snapshot;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Collections and maps of the JDK that can be looked through without a lock and without calling a
 * method of the program: exactly these classes, and not those that extend them.
 */
final class JdkCollections {

  private static final Set<String> NAMES =
      Set.of(
          "java.util.ArrayDeque",
          "java.util.ArrayList",
          "java.util.ArrayList$SubList",
          "java.util.Arrays$ArrayList",
          "java.util.EnumMap",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.ImmutableCollections$List12",
          "java.util.ImmutableCollections$ListN",
          "java.util.ImmutableCollections$Map1",
          "java.util.ImmutableCollections$MapN",
          "java.util.ImmutableCollections$Set12",
          "java.util.ImmutableCollections$SetN",
          "java.util.LinkedHashMap",
          "java.util.LinkedHashSet",
          "java.util.LinkedList",
          "java.util.PriorityQueue",
          "java.util.TreeMap",
          "java.util.TreeSet",
          "java.util.concurrent.ConcurrentHashMap",
          "java.util.concurrent.CopyOnWriteArrayList");

  private JdkCollections() {}

  static boolean isOne(Class<?> type) {
    return type.getClassLoader() == null && NAMES.contains(type.getName());
  }

  /**
   * Adds the first elements, and of a map their keys as texts. What another thread changes
   * meanwhile may be missed.
   *
   * @return how many elements there are
   */
  static int read(
      Object collection,
      int most,
      List<String> keys,
      List<@Nullable Object> elements,
      Function<@Nullable Object, String> text) {
    if (collection instanceof Map<?, ?> map) {
      try {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          if (elements.size() >= most) {
            break;
          }
          String key = text.apply(entry.getKey());
          elements.add(entry.getValue());
          keys.add(key);
        }
      } catch (RuntimeException changedMeanwhile) {
        // Then there are no more.
      }
      return Math.max(map.size(), elements.size());
    }
    Collection<?> all = (Collection<?>) collection;
    try {
      for (Object element : all) {
        if (elements.size() >= most) {
          break;
        }
        elements.add(element);
      }
    } catch (RuntimeException changedMeanwhile) {
      // Then there are no more.
    }
    return Math.max(all.size(), elements.size());
  }
}
