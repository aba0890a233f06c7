package io.jvmtools.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

  private static final Path MAPS = Path.of("/proc/self/maps");

  /** The platform of this process. */
  static Platform current() {
    return of(System.getProperty("os.name"), System.getProperty("os.arch"), Platform::isMuslMapped);
  }

  static Platform of(String osName, String osArch, BooleanSupplier musl) {
    String os = os(osName.toLowerCase(Locale.ROOT));
    String name = os + "-" + arch(osArch.toLowerCase(Locale.ROOT));
    return switch (os) {
      case "windows" -> new Platform(name, "jvmtools.dll");
      case "macos" -> new Platform(name, "libjvmtools.dylib");
      case "linux" -> new Platform(musl.getAsBoolean() ? name + "-musl" : name, "libjvmtools.so");
      default -> new Platform(name, "libjvmtools.so");
    };
  }

  boolean isWindows() {
    return classifier.startsWith("windows-");
  }

  /** Whether a line of {@code /proc/self/maps} belongs to the C library or the linker of musl. */
  static boolean isMusl(String mapping) {
    return mapping.contains("/ld-musl-") || mapping.contains("/libc.musl-");
  }

  private static boolean isMuslMapped() {
    try (Stream<String> mappings = Files.lines(MAPS, StandardCharsets.ISO_8859_1)) {
      return mappings.anyMatch(Platform::isMusl);
    } catch (IOException | UncheckedIOException unreadable) {
      return false;
    }
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
