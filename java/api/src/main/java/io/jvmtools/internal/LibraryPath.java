package io.jvmtools.internal;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where {@code System.loadLibrary} looks. */
final class LibraryPath {

  /** The name of the path. */
  static final String NAME = "java.library.path";

  /** The name of the library in it, which every system spells in its own way. */
  static final String LIBRARY = "jvmtools";

  private LibraryPath() {}

  /** The file that {@code System.loadLibrary} would load; null if there is none. */
  static @Nullable Path find() {
    for (String entry : System.getProperty(NAME, "").split(File.pathSeparator, -1)) {
      Path file = Path.of(entry, System.mapLibraryName(LIBRARY)).toAbsolutePath();
      if (Files.isRegularFile(file)) {
        return file;
      }
    }
    return null;
  }
}
