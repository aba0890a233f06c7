package io.jvmtools.pairs;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;

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

  /**
   * Links nothing at its first use: whoever is suspended in the middle of that has a lock that
   * others need.
   */
  static String stack(StackTraceElement[] frames) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(DEPTH, frames.length); i++) {
      text.append("\n    ").append(frames[i]);
    }
    return text.toString();
  }
}
