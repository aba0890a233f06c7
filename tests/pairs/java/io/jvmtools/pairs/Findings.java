package io.jvmtools.pairs;

import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/** What must not be, each kind of it once. */
final class Findings {

  private static final int DEPTH = 12;

  private volatile String where = "the start";
  private final Map<String, String> found = new ConcurrentSkipListMap<>();

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

  boolean areEmpty() {
    return found.isEmpty();
  }

  Collection<String> all() {
    return found.values();
  }

  static String stack(StackTraceElement[] frames) {
    return Arrays.stream(frames)
        .limit(DEPTH)
        .map(frame -> "\n    " + frame)
        .collect(Collectors.joining());
  }
}
