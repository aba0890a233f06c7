package io.jvmtools.internal;

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
        new ChosenFile("property " + PROPERTY, file(property.apply(PROPERTY))),
        new ChosenFile("environment variable " + VARIABLE, file(variable.apply(VARIABLE))));
  }

  private static @Nullable Path file(@Nullable String named) {
    return named == null || named.isEmpty() ? null : Path.of(named).toAbsolutePath();
  }
}
