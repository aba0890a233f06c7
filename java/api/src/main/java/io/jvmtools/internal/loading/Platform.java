package io.jvmtools.internal.loading;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * What a native library is built for.
 *
 * @param classifier the directory of the library in the jar, for example {@code
 *     "linux-x86_64-musl"}
 * @param fileName the name of the library file
 */
record Platform(String classifier, String fileName) {

  /** The platforms that there are libraries for. */
  static final List<String> SUPPORTED =
      List.of(
          "linux-x86_64",
          "linux-aarch64",
          "linux-x86_64-musl",
          "linux-aarch64-musl",
          "windows-x86_64",
          "windows-aarch64",
          "macos-x86_64",
          "macos-aarch64");

  private static final String MUSL = "-musl";
  private static final Path MAPS = Path.of("/proc/self/maps");

  /** The platform of this process. */
  static Platform current() {
    return of(System.getProperty("os.name"), System.getProperty("os.arch"), Platform::isMuslMapped);
  }

  /** The platform that a directory of the jar is named after. */
  static Platform named(String classifier) {
    return new Platform(classifier, fileName(classifier));
  }

  static Platform of(String osName, String osArch, BooleanSupplier musl) {
    String os = os(osName.toLowerCase(Locale.ROOT));
    String name = os + "-" + arch(osArch.toLowerCase(Locale.ROOT));
    return named(os.equals("linux") && musl.getAsBoolean() ? name + MUSL : name);
  }

  /**
   * This platform, and whatever else may run on it: the libraries for the other C library, for it
   * may be there too, or not be told by the mappings.
   */
  List<Platform> variants() {
    if (!classifier.startsWith("linux-")) {
      return List.of(this);
    }
    String other =
        classifier.endsWith(MUSL)
            ? classifier.substring(0, classifier.length() - MUSL.length())
            : classifier + MUSL;
    return List.of(this, named(other));
  }

  boolean isWindows() {
    return classifier.startsWith("windows-");
  }

  /**
   * Whether a line of {@code /proc/self/maps} belongs to the C library or the linker of musl, which
   * are one file; glibc's {@code libc.so} is a script that no process maps.
   */
  static boolean isMusl(String mapping) {
    return mapping.contains("/ld-musl-")
        || mapping.contains("/libc.musl-")
        || mapping.endsWith("/libc.so");
  }

  private static boolean isMuslMapped() {
    try (Stream<String> mappings = Files.lines(MAPS, StandardCharsets.ISO_8859_1)) {
      return mappings.anyMatch(Platform::isMusl);
    } catch (IOException | UncheckedIOException unreadable) {
      return false;
    }
  }

  private static String fileName(String classifier) {
    if (classifier.startsWith("windows-")) {
      return "jvmtools.dll";
    }
    return classifier.startsWith("macos-") ? "libjvmtools.dylib" : "libjvmtools.so";
  }

  private static String os(String name) {
    if (name.startsWith("windows")) {
      return "windows";
    }
    if (name.startsWith("mac") || name.startsWith("darwin")) {
      return "macos";
    }
    return name.replaceAll("[^a-z0-9]+", "");
  }

  private static String arch(String name) {
    return switch (name) {
      case "amd64", "x86_64", "x64" -> "x86_64";
      case "aarch64", "arm64" -> "aarch64";
      default -> name.replaceAll("[^a-z0-9_]+", "");
    };
  }
}
