package io.jvmtools.coverage;

import io.jvmtools.support.Installation;
import io.jvmtools.support.Sources;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The files of one crate, and which names which. A file names another one by a path to the module
 * that it is, or to what is in it: in {@code use}, in groups and in code. That it declares a module
 * is not counted.
 */
final class RustModules {

  /** A file names another one. */
  record Arrow(String from, int line, String path, String to) {
    @Override
    public String toString() {
      return from + ":" + line + " names " + path + ", which is in " + to;
    }
  }

  /** What {@code use} calls a name, and that it is everything there is in a module. */
  private record Imports(Map<String, List<String>> names, List<List<String>> globs) {}

  private final Map<List<String>, String> files = new HashMap<>();
  private final Map<String, Map<String, Arrow>> arrows = new TreeMap<>();

  /** The crate whose {@code lib.rs} is in a folder of the source tree. */
  static RustModules in(String folder) {
    Path root = Installation.root().resolve(folder);
    Map<String, String> texts = new TreeMap<>();
    for (Path file : Sources.under(folder, ".rs")) {
      texts.put(root.relativize(file).toString().replace('\\', '/'), Sources.text(file));
    }
    return new RustModules(texts);
  }

  /** A crate of these files. */
  RustModules(Map<String, String> texts) {
    texts.keySet().forEach(file -> files.put(moduleOf(file), file));
    texts.forEach(this::read);
  }

  /** Every arrow, one for each two files. */
  List<Arrow> arrows() {
    return arrows.values().stream().flatMap(each -> each.values().stream()).toList();
  }

  /** A shortest circle through each file that is on one, each circle once. */
  List<List<Arrow>> circles() {
    Map<List<String>, List<Arrow>> circles = new LinkedHashMap<>();
    for (String file : arrows.keySet()) {
      wayBack(file)
          .ifPresent(
              way -> circles.putIfAbsent(way.stream().map(Arrow::from).sorted().toList(), way));
    }
    return List.copyOf(circles.values());
  }

  private Optional<List<Arrow>> wayBack(String file) {
    Map<String, Arrow> reached = new HashMap<>();
    Deque<String> todo = new ArrayDeque<>(List.of(file));
    while (!todo.isEmpty() && !reached.containsKey(file)) {
      for (Arrow arrow : arrows.getOrDefault(todo.remove(), Map.of()).values()) {
        if (reached.putIfAbsent(arrow.to(), arrow) == null) {
          todo.add(arrow.to());
        }
      }
    }
    if (!reached.containsKey(file)) {
      return Optional.empty();
    }
    Deque<Arrow> way = new ArrayDeque<>();
    for (String at = file; way.isEmpty() || !at.equals(file); at = way.peek().from()) {
      way.push(reached.get(at));
    }
    return Optional.of(List.copyOf(way));
  }

  private static List<String> moduleOf(String file) {
    List<String> module = new ArrayList<>(List.of(file.replaceFirst("\\.rs$", "").split("/")));
    String last = module.get(module.size() - 1);
    if (last.equals("mod") || module.equals(List.of("lib")) || module.equals(List.of("main"))) {
      module.remove(module.size() - 1);
    }
    return module;
  }

  private void read(String file, String text) {
    List<RustPaths.Found> found = RustPaths.in(text);
    // What each module of the file imports: a block of a function counts as its module.
    Map<List<String>, Imports> imports = new HashMap<>();
    for (RustPaths.Found one : found) {
      if (one.imported()) {
        List<String> module = append(moduleOf(file), one.inline());
        Imports here =
            imports.computeIfAbsent(module, m -> new Imports(new HashMap<>(), new ArrayList<>()));
        absolute(module, one.path(), here)
            .ifPresent(
                path -> {
                  if (one.glob()) {
                    here.globs().add(path);
                  } else {
                    here.names().putIfAbsent(one.name(), path);
                  }
                });
      }
    }
    for (RustPaths.Found one : found) {
      List<String> module = append(moduleOf(file), one.inline());
      Imports here = imports.getOrDefault(module, new Imports(Map.of(), List.of()));
      absolute(module, one.path(), here).ifPresent(path -> add(file, one, path));
    }
  }

  private void add(String file, RustPaths.Found found, List<String> path) {
    String to = fileOf(path);
    if (!to.equals(file)) {
      String text = String.join("::", found.path());
      arrows
          .computeIfAbsent(file, from -> new TreeMap<>())
          .putIfAbsent(to, new Arrow(file, found.line(), text, to));
    }
  }

  /** The same path from the root of the crate; empty for one that leads to another crate. */
  private Optional<List<String>> absolute(List<String> module, List<String> path, Imports imports) {
    String first = path.get(0);
    List<String> rest = path.subList(1, path.size());
    if (first.equals("crate")) {
      return Optional.of(rest);
    }
    if (first.equals("self")) {
      boolean above = !rest.isEmpty() && rest.get(0).equals("super");
      return above ? absolute(module, rest, imports) : Optional.of(append(module, rest));
    }
    if (first.equals("super")) {
      List<String> above = module.subList(0, Math.max(0, module.size() - 1));
      boolean further = !rest.isEmpty() && rest.get(0).equals("super");
      return further ? absolute(above, rest, imports) : Optional.of(append(above, rest));
    }
    if (files.containsKey(append(module, List.of(first)))) {
      return Optional.of(append(module, path));
    }
    // A path that only has a name was named where that was imported.
    List<String> imported = rest.isEmpty() ? null : imports.names().get(first);
    if (imported != null) {
      return Optional.of(append(imported, rest));
    }
    return imports.globs().stream()
        .map(glob -> append(glob, path))
        .filter(
            candidate -> files.containsKey(candidate.subList(0, candidate.size() - rest.size())))
        .findFirst();
  }

  /** The file of the innermost module on the path. */
  private String fileOf(List<String> path) {
    return IntStream.rangeClosed(0, path.size())
        .mapToObj(left -> files.get(path.subList(0, path.size() - left)))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no root for " + path));
  }

  private static List<String> append(List<String> path, Collection<String> rest) {
    List<String> whole = new ArrayList<>(path);
    whole.addAll(rest);
    return whole;
  }
}
