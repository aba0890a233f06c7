package io.jvmtools.internal.loading;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where the native libraries are: in the jar of these classes, or in a {@code natives-} jar. */
final class LibraryResources {

  private LibraryResources() {}

  /**
   * Opens a resource of a platform.
   *
   * @param platform the platform, as the directory of its resources is called
   * @param file the name of the file in that directory
   * @return its bytes, or null if there is no such resource
   * @throws IOException if it cannot be read
   */
  static @Nullable InputStream open(String platform, String file) throws IOException {
    String name = "META-INF/native/" + platform + "/" + file;
    Class<?> here = LibraryResources.class;
    InputStream own = here.getResourceAsStream("/" + name);
    if (own != null || !here.getModule().isNamed()) {
      return own;
    }
    // A class in a named module finds its own module's resources only. The directory is no name of
    // a package, so other modules do not hide theirs.
    ClassLoader loader = here.getClassLoader();
    InputStream resolved =
        loader == null
            ? ClassLoader.getSystemResourceAsStream(name)
            : loader.getResourceAsStream(name);
    return resolved != null ? resolved : unresolved(platform, name);
  }

  /** Nothing requires the module of a native jar, so it is seen but not part of the graph. */
  private static @Nullable InputStream unresolved(String platform, String name) throws IOException {
    Path[] modulePath =
        Stream.of(System.getProperty("jdk.module.path", "").split(File.pathSeparator))
            .filter(entry -> !entry.isEmpty())
            .map(Path::of)
            .toArray(Path[]::new);
    ModuleFinder observable =
        ModuleFinder.compose(ModuleFinder.of(modulePath), ModuleFinder.ofSystem());
    Optional<ModuleReference> module =
        observable.find("io.jvmtools.natives." + platform.replace('-', '.'));
    if (module.isEmpty()) {
      return null;
    }
    try (ModuleReader reader = module.get().open()) {
      Optional<InputStream> resource = reader.open(name);
      if (resource.isEmpty()) {
        return null;
      }
      try (InputStream in = resource.get()) {
        return new ByteArrayInputStream(in.readAllBytes());
      }
    }
  }
}
