package io.jvmtools.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The native library in the jar.
 *
 * @param source where its bytes come from
 * @param fileName the name of its file
 * @param sha256 what its bytes must hash to, in lower-case hexadecimal
 */
record BundledLibrary(Source source, String fileName, String sha256) {

  private static final int NAME_DIGITS = 16;

  /** Opens the bytes of the library. */
  interface Source {
    InputStream open() throws IOException;
  }

  /**
   * The library for a platform.
   *
   * @throws IOException if the jar has none; the message says so
   */
  static BundledLibrary of(Platform platform) throws IOException {
    String name = "/META-INF/native/" + platform.classifier() + "/" + platform.fileName();
    String line;
    try (InputStream digest = BundledLibrary.class.getResourceAsStream(name + ".sha256")) {
      if (digest == null) {
        throw new IOException("this jar has no library for " + platform.classifier());
      }
      line = new String(digest.readAllBytes(), StandardCharsets.US_ASCII).strip();
    }
    return new BundledLibrary(() -> resource(name), platform.fileName(), line.split("\\s+", 2)[0]);
  }

  /**
   * Puts the library into a directory, unless it is there already.
   *
   * @return the file, whose bytes have been verified
   * @throws IOException if the directory is not private to this user, or cannot be written to
   */
  Path extractTo(Path directory) throws IOException {
    PrivateDirectory.require(directory);
    Path file = directory.resolve(sha256.substring(0, NAME_DIGITS) + "-" + fileName);
    if (!isVerified(file)) {
      write(directory, file);
    }
    return file;
  }

  private boolean isVerified(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (InputStream bytes = Files.newInputStream(file)) {
      return sha256.equals(copy(bytes, OutputStream.nullOutputStream()));
    }
  }

  private void write(Path directory, Path file) throws IOException {
    Path part = Files.createTempFile(directory, ".", ".part");
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
      PrivateDirectory.makeExecutable(part);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(part);
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

  private static InputStream resource(String name) throws IOException {
    InputStream bytes = BundledLibrary.class.getResourceAsStream(name);
    if (bytes == null) {
      throw new IOException("this jar has a checksum but no library: " + name);
    }
    return bytes;
  }
}
