package io.jvmtools.neighbour;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/** What is counted and measured, in the order of the report. */
enum Figure {
  RIGHT("right results", Figure::count),
  WRONG("wrong results", Figure::count),
  WAIT_MEDIAN("wait, median", Waits::text),
  WAIT_99("wait, 99 %", Waits::text),
  WAIT_9999("wait, 99.99 %", Waits::text),
  WAIT_LONGEST("wait, longest", Waits::text),
  CLOCK_LATE("a timer late by at most", Waits::text),
  CLOCK_JUMP("time of day jumped by", Waits::text),
  ROUNDS("rounds of the neighbour", Figure::count),
  DEED_LONGEST("its longest deed", Waits::text),
  EXPIRED("suspensions that expired", Figure::count),
  FAILURES("wrong answers to it", Figure::count),
  GLOBALS("JNI globals", Figure::count),
  MEMORY("resident memory", Figure::megabytes),
  THREADS("threads", Figure::count),
  FILES("mapped files", Figure::count),
  ENDING("ended after", Waits::text);

  private final String words;
  private final LongFunction<String> text;

  Figure(String words, LongFunction<String> text) {
    this.words = words;
    this.text = text;
  }

  /** For people. */
  String text(long value) {
    return text.apply(value);
  }

  @Override
  public String toString() {
    return words;
  }

  /** As one word, to be read by {@link #parse}. */
  static String print(Map<Figure, Long> values) {
    return values.entrySet().stream()
        .map(entry -> entry.getKey().name() + '=' + entry.getValue())
        .collect(Collectors.joining(","));
  }

  static Map<Figure, Long> parse(String printed) {
    Map<Figure, Long> values = new EnumMap<>(Figure.class);
    for (String entry : printed.split(",")) {
      String[] parts = entry.split("=");
      values.put(valueOf(parts[0]), Long.valueOf(parts[1]));
    }
    return values;
  }

  private static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String megabytes(long bytes) {
    return String.format(Locale.ROOT, "%.1f MB", bytes / 1e6);
  }
}
