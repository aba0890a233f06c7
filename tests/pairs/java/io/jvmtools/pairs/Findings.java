package io.jvmtools.pairs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/** What must not be, each kind of it once. */
final class Findings {

  private static final int DEPTH = 12;

  private volatile String where = "the start";
  private final Map<String, String> found = new ConcurrentSkipListMap<>();
  private final Set<String> told = new HashSet<>();

  /** What is going on now, as a command that repeats it. */
  void during(String command) {
    where = command;
  }

  String where() {
    return where;
  }

  void add(String kind, String text) {
    found.putIfAbsent(kind, where + "\n  " + text);
  }

  /** Something that was thrown. */
  void add(String what, Throwable thrown, String objection) {
    String text =
        what
            + " "
            + objection
            + ": "
            + thrown
            + stack(thrown.getStackTrace())
            + (thrown.getCause() == null ? "" : "\n  caused by " + thrown.getCause());
    add(what + thrown.getClass().getName() + objection, text);
  }

  /** Those that are new since this was asked last. */
  List<String> news() {
    List<String> news = new ArrayList<>();
    found.forEach(
        (kind, text) -> {
          if (told.add(kind)) {
            news.add(text);
          }
        });
    return news;
  }

  static String stack(StackTraceElement[] frames) {
    return Arrays.stream(frames)
        .limit(DEPTH)
        .map(frame -> "\n    " + frame)
        .collect(Collectors.joining());
  }
}
