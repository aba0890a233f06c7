package io.jvmtools.coverage;

import io.jvmtools.support.Sources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The packages below a folder of the source tree, and which knows which.
 *
 * <p>Arrows are read from the imports, without a library for it: the sources also show what the
 * compiler copies into a class, and a name in full counts in code and not in documentation.
 */
final class JavaRooms {

  /** The one that may know all and be known by all. */
  static final String ROOT = "io.jvmtools";

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern NAME =
      Pattern.compile("\\bio((?:\\s*\\.\\s*[a-z]\\w*)+)\\s*\\.\\s*[A-Z*]");

  private static final Pattern ONE = Pattern.compile("import [\\w.]+\\.(\\w+);.*");

  private final Map<String, Map<String, String>> arrows = new TreeMap<>();
  private final Map<String, Set<Path>> folders = new TreeMap<>();

  JavaRooms(String sources) {
    for (Path file : Sources.under(sources, ".java")) {
      Matcher room = PACKAGE.matcher(Sources.text(file));
      if (room.find()) {
        folders.computeIfAbsent(room.group(1), none -> new TreeSet<>()).add(file.getParent());
        read(room.group(1), file);
      }
    }
  }

  /** From a room to those it knows, each with a file that says so. */
  Map<String, Map<String, String>> arrows() {
    return arrows;
  }

  /** The folders that have files of each room. */
  Map<String, Set<Path>> folders() {
    return folders;
  }

  /** Rooms that know each other, by whatever way, with the files that say so. */
  List<String> circles() {
    List<String> circles = new ArrayList<>();
    for (String room : arrows.keySet()) {
      circle(new ArrayList<>(List.of(room))).ifPresent(way -> circles.add(describe(way)));
    }
    return circles;
  }

  private Optional<List<String>> circle(List<String> way) {
    for (String next : arrows.getOrDefault(way.get(way.size() - 1), Map.of()).keySet()) {
      if (next.equals(way.get(0))) {
        way.add(next);
        return Optional.of(way);
      }
      // Each circle is told once, from its first room in the order of the alphabet.
      if (!way.contains(next) && next.compareTo(way.get(0)) > 0) {
        List<String> further = new ArrayList<>(way);
        further.add(next);
        var found = circle(further);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private String describe(List<String> way) {
    StringBuilder text = new StringBuilder(way.get(0));
    for (int i = 1; i < way.size(); i++) {
      String file = arrows.get(way.get(i - 1)).get(way.get(i));
      text.append(" -> ").append(way.get(i)).append(" (").append(file).append(')');
    }
    return text.toString();
  }

  private void read(String room, Path file) {
    Map<String, String> known = arrows.computeIfAbsent(room, none -> new TreeMap<>());
    for (String other : named(Sources.text(file))) {
      if (!other.equals(room) && !other.equals(ROOT) && !room.equals(ROOT)) {
        known.putIfAbsent(other, file.getFileName().toString());
      }
    }
  }

  /** The packages of which a source names something. */
  static Set<String> named(String text) {
    Set<String> named = new TreeSet<>();
    Matcher names = NAME.matcher(code(text));
    while (names.find()) {
      named.add("io" + names.group(1).replaceAll("\\s", ""));
    }
    return named;
  }

  /** The text of a file without the imports that only its documentation needs. */
  private static String code(String text) {
    String code = TestCalls.NO_CODE.matcher(text).replaceAll(" ");
    String body = code.replaceAll("(?m)^import .*$", "");
    return code.lines()
        .filter(line -> !line.startsWith("import ") || isUsed(line, body))
        .collect(Collectors.joining("\n"));
  }

  /** Of what is imported all at once nobody knows. */
  private static boolean isUsed(String line, String body) {
    Matcher one = ONE.matcher(line);
    return !one.matches() || Pattern.compile("\\b" + one.group(1) + "\\b").matcher(body).find();
  }
}
