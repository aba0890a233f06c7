package io.jvmtools.internal.loading;

import java.io.File;
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
      // The PATH of Windows may hold what is no path, which a File just does not find.
      File file = new File(entry, System.mapLibraryName(LIBRARY)).getAbsoluteFile();
      if (file.isFile()) {
        return file.toPath();
      }
    }
    return null;
  }
}
