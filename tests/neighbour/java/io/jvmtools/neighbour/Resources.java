package io.jvmtools.neighbour;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;

/** What a process has, as Linux tells. */
final class Resources {

  private static final long KILOBYTE = 1024;

  private Resources() {}

  /** Anonymous resident memory, threads, and files that are mapped. */
  static Map<Figure, Long> of(long pid) throws IOException {
    Path directory = Path.of("/proc", Long.toString(pid));
    Map<Figure, Long> found = new EnumMap<>(Figure.class);
    for (String line : Files.readAllLines(directory.resolve("status"))) {
      String[] words = line.split("\\s+");
      switch (words[0]) {
        case "RssAnon:" -> found.put(Figure.MEMORY, Long.parseLong(words[1]) * KILOBYTE);
        case "Threads:" -> found.put(Figure.THREADS, Long.parseLong(words[1]));
        default -> {}
      }
    }
    try (Stream<String> mappings = Files.lines(directory.resolve("maps"))) {
      found.put(Figure.FILES, mappings.map(Resources::file).distinct().count() - 1);
    }
    return found;
  }

  /** The file of a mapping, or nothing: the end of the line from the sixth column on. */
  private static String file(String mapping) {
    int slash = mapping.indexOf('/');
    return slash < 0 ? "" : mapping.substring(slash);
  }
}
