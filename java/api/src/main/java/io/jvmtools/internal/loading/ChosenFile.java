package io.jvmtools.internal.loading;

import io.jvmtools.LibraryLoadException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A library file that the user names.
 *
 * @param name where it is named
 * @param file the file, null if none is named there
 */
record ChosenFile(String name, @Nullable Path file) {

  private static final String PROPERTY = "jvmtools.library.path";
  private static final String VARIABLE = "JVMTOOLS_LIBRARY_PATH";

  /** The places where a file can be named, the first one first. */
  static List<ChosenFile> all() {
    return all(System::getProperty, System::getenv);
  }

  static List<ChosenFile> all(
      UnaryOperator<@Nullable String> property, UnaryOperator<@Nullable String> variable) {
    return List.of(
        of("property " + PROPERTY, property.apply(PROPERTY)),
        of("environment variable " + VARIABLE, variable.apply(VARIABLE)));
  }

  private static ChosenFile of(String setting, @Nullable String named) {
    return new ChosenFile(
        setting, named == null || named.isEmpty() ? null : path(setting, named).toAbsolutePath());
  }

  /**
   * What a setting names.
   *
   * @throws LibraryLoadException if no file system has such a path
   */
  static Path path(String setting, String named) {
    try {
      return Path.of(named);
    } catch (InvalidPathException wrong) {
      throw new LibraryLoadException(
          "What names a place for the native library is no path:",
          List.of(setting + ": " + wrong.getMessage()));
    }
  }
}
