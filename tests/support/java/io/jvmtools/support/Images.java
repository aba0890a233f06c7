package io.jvmtools.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The images of the native library that are mapped into this process; Linux says which. */
public final class Images {

  private static final String FILE = System.mapLibraryName("jvmtools");

  private Images() {}

  /** Their files, which may be gone. */
  public static Set<String> mapped() {
    try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
      return mappings
          .filter(line -> line.contains(FILE))
          .map(line -> line.substring(line.indexOf('/')))
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
