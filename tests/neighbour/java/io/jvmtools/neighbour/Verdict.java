package io.jvmtools.neighbour;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** What is wrong with a JVM, next to the control. */
final class Verdict {

  private static final Duration LONGEST_DEED = Duration.ofMinutes(1);

  /** A level may rise by this more than the control's, and by a part of itself. */
  private static final Map<Figure, Long> CHANCE =
      new EnumMap<>(
          Map.of(
              Figure.GLOBALS, 100L,
              Figure.MEMORY, 16_000_000L,
              Figure.THREADS, 8L,
              Figure.FILES, 16L));

  private static final int PART = 50;

  private Verdict() {}

  /** Adds its complaints. */
  static void judge(Watched jvm, Watched control) {
    Map<Figure, Long> figures = jvm.figures();
    complainOfAny(jvm, Figure.WRONG);
    complainOfAny(jvm, Figure.FAILURES);
    if (figures.getOrDefault(Figure.RIGHT, 0L) == 0) {
      jvm.complaints().add("nothing was right");
    }
    if (figures.getOrDefault(Figure.DEED_LONGEST, 0L) > LONGEST_DEED.toNanos()) {
      jvm.complaints().add("a deed of the neighbour took more than " + LONGEST_DEED);
    }
    CHANCE.forEach(
        (figure, chance) -> {
          long more = jvm.levels().growth(figure) - Math.max(0, control.levels().growth(figure));
          if (more > chance + jvm.levels().first(figure) / PART) {
            jvm.complaints().add(figure + " grew by " + figure.text(more) + " more");
          }
        });
  }

  private static void complainOfAny(Watched jvm, Figure figure) {
    long count = jvm.figures().getOrDefault(figure, 0L);
    if (count != 0) {
      jvm.complaints().add(figure.text(count) + " " + figure);
    }
  }
}
