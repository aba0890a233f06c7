package io.jvmtools.internal.loading;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The native library in the jar.
 *
 * @param source where its bytes come from
 * @param platform what it is built for
 * @param sha256 what its bytes must hash to, in lower-case hexadecimal
 */
record BundledLibrary(Source source, Platform platform, String sha256) {

  private static final int NAME_DIGITS = 16;
  private static final Set<PosixFilePermission> EVERYBODY =
      PosixFilePermissions.fromString("rwxr-xr-x");

  /** Opens the bytes of the library. */
  interface Source {
    InputStream open() throws IOException;
  }

  /** The libraries that may suit this process, the likeliest first. */
  static List<BundledLibrary> forThisProcess(Attempts misses) {
    List<BundledLibrary> libraries = new ArrayList<>();
    Platform current = Platform.current();
    for (Platform platform : current.variants()) {
      try {
        BundledLibrary library = of(platform);
        if (library != null) {
          libraries.add(library);
        } else if (isSame(platform, current)) {
          misses.add("the jar", missing(platform, carried()));
        }
      } catch (IOException unreadable) {
        misses.add("the jar", Explanation.reason(unreadable));
      }
    }
    return libraries;
  }

  /** Not by {@code equals}: on 17 that of a record pins its class loader (JDK-8078641). */
  private static boolean isSame(Platform platform, Platform current) {
    return platform.classifier().equals(current.classifier());
  }

  /** The library for a platform; null if the jar has none. */
  static @Nullable BundledLibrary of(Platform platform) throws IOException {
    try (InputStream digest = digest(platform)) {
      if (digest == null) {
        return null;
      }
      String line = new String(digest.readAllBytes(), StandardCharsets.US_ASCII).strip();
      return new BundledLibrary(() -> bytes(platform), platform, line.split("\\s+", 2)[0]);
    }
  }

  /** Says that there is no library for a platform, and for which there is. */
  static String missing(Platform platform, List<String> carried) {
    String wanted = platform.classifier();
    String has = carried.isEmpty() ? "none" : String.join(", ", carried);
    if (!Platform.SUPPORTED.contains(wanted)) {
      return "JvmTools does not support "
          + wanted
          + "; it supports "
          + String.join(", ", Platform.SUPPORTED)
          + "; this jar has libraries for: "
          + has;
    }
    return "this jar has no library for "
        + wanted
        + "; it has libraries for: "
        + has
        + " (beside a slim jar belongs the jar natives-"
        + wanted
        + ")";
  }

  /** The platforms that the jar has a library for. */
  static List<String> carried() {
    return Platform.SUPPORTED.stream()
        .filter(classifier -> isCarried(Platform.named(classifier)))
        .toList();
  }

  /** How many bytes it has; -1 if the jar does not tell. */
  long size() {
    try (InputStream bytes = source.open()) {
      return bytes.transferTo(OutputStream.nullOutputStream());
    } catch (IOException unreadable) {
      return -1;
    }
  }

  /**
   * Puts the library into a directory, unless it is there already.
   *
   * @return the file, whose bytes have been verified
   * @throws IOException if the directory is not private to this user, cannot be written to, or lets
   *     nothing be executed
   */
  Path extractTo(Path directory) throws IOException {
    PrivateDirectory.require(directory);
    if (MountTable.ofThisProcess().isNoexec(directory)) {
      throw new IOException(Explanation.ofNoexec());
    }
    Path file = directory.resolve(sha256.substring(0, NAME_DIGITS) + "-" + platform.fileName());
    if (!isVerified(file)) {
      write(directory, file, PrivateDirectory.OWNER_ONLY);
      StaleFiles.remove(directory, Instant.now());
    }
    return file;
  }

  /**
   * Puts the library into a directory under its own name, for everybody to load.
   *
   * @return the file
   * @throws IOException if the directory cannot be written to
   */
  Path copyTo(Path directory) throws IOException {
    Files.createDirectories(directory);
    Path file = directory.resolve(platform.fileName());
    write(directory, file, EVERYBODY);
    return file;
  }

  private boolean isVerified(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    // Before it is read: from here on nobody cleans it up.
    StaleFiles.markUsed(file, Instant.now());
    try (InputStream bytes = Files.newInputStream(file)) {
      return sha256.equals(copy(bytes, OutputStream.nullOutputStream()));
    }
  }

  private void write(Path directory, Path file, Set<PosixFilePermission> who) throws IOException {
    Path part = Files.createTempFile(directory, StaleFiles.UNFINISHED, ".part");
    try {
      String actual;
      try (InputStream in = source.open();
          OutputStream out = Files.newOutputStream(part)) {
        actual = copy(in, out);
      }
      if (!actual.equals(sha256)) {
        throw new IOException(
            "the library in the jar is damaged: SHA-256 " + actual + " instead of " + sha256);
      }
      PrivateDirectory.makeExecutable(part, who);
      moveIntoPlace(part, file);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /** Whoever has mapped a file that was there keeps what he mapped. */
  private void moveIntoPlace(Path part, Path file) throws IOException {
    try {
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (FileSystemException refused) {
      // Windows does not replace what another process has loaded, which then is this library.
      if (!isVerified(file)) {
        throw refused;
      }
    }
  }

  /** Copies everything and returns the SHA-256 of it. */
  private static String copy(InputStream in, OutputStream out) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      new DigestInputStream(in, digest).transferTo(out);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("Every Java runtime has SHA-256", impossible);
    }
  }

  private static boolean isCarried(Platform platform) {
    try (InputStream digest = digest(platform)) {
      return digest != null;
    } catch (IOException unreadable) {
      return false;
    }
  }

  private static @Nullable InputStream digest(Platform platform) throws IOException {
    return LibraryResources.open(platform.classifier(), platform.fileName() + ".sha256");
  }

  private static InputStream bytes(Platform platform) throws IOException {
    InputStream bytes = LibraryResources.open(platform.classifier(), platform.fileName());
    if (bytes == null) {
      throw new IOException("this jar has a checksum but no library for " + platform.classifier());
    }
    return bytes;
  }
}
