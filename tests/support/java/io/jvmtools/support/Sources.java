package io.jvmtools.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The source tree, read as text. */
public final class Sources {

  private Sources() {}

  /** Every file with one of the endings under a folder of the tree, without what a build made. */
  public static List<Path> under(String folder, String... endings) {
    Path root = Installation.root();
    try (Stream<Path> paths = Files.walk(root.resolve(folder))) {
      return paths
          .filter(Files::isRegularFile)
          .filter(path -> Stream.of(endings).anyMatch(path.toString()::endsWith))
          .filter(path -> !root.relativize(path).toString().matches("(.*/)?(build|target)/.*"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text of a file. */
  public static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The lines of a file. */
  public static List<String> lines(Path file) {
    return text(file).lines().toList();
  }
}
