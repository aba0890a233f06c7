package io.jvmtools.neighbour;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What must not grow. The first third of the samples is left out, because programs fill their
 * caches then; of the rest the median of the second half is compared with that of the first.
 */
final class Levels {

  /** What has a level. */
  static final Set<Figure> FIGURES =
      EnumSet.of(Figure.GLOBALS, Figure.MEMORY, Figure.THREADS, Figure.FILES);

  private final Map<Figure, List<Long>> samples = new EnumMap<>(Figure.class);

  /** Adds what there is of one moment. */
  synchronized void add(Map<Figure, Long> sample) {
    for (Figure figure : FIGURES) {
      if (sample.containsKey(figure)) {
        samples.computeIfAbsent(figure, ignored -> new ArrayList<>()).add(sample.get(figure));
      }
    }
  }

  synchronized long first(Figure figure) {
    List<Long> all = samples.getOrDefault(figure, List.of());
    return least(all.subList(all.size() / 3, all.size() * 2 / 3));
  }

  synchronized long second(Figure figure) {
    List<Long> all = samples.getOrDefault(figure, List.of());
    return least(all.subList(all.size() * 2 / 3, all.size()));
  }

  long growth(Figure figure) {
    return second(figure) - first(figure);
  }

  private static long least(List<Long> some) {
    return some.stream().min(Long::compare).orElse(0L);
  }
}
