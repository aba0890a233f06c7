package io.jvmtools.internal.loading;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * Removes what other versions, and processes that were killed, left in a private directory.
 *
 * <p>A library is marked when it is used, at least once a day, and goes a month after the last
 * mark: no process is about to load it then. Where it is still mapped it stays mapped, and Windows
 * does not delete it. Files whose names are not ours are left alone.
 */
final class StaleFiles {

  /** How the name of a file starts that is not complete yet, or is only looked at. */
  static final String UNFINISHED = ".jvmtools-";

  private static final Pattern LIBRARY = Pattern.compile("[0-9a-f]{16}-(lib)?jvmtools\\.\\w+");
  private static final Duration LIBRARY_KEPT = Duration.ofDays(30);
  private static final Duration REST_KEPT = Duration.ofDays(1);
  private static final Duration MARKED_EVERY = Duration.ofDays(1);

  private StaleFiles() {}

  /** Whether a file was put there by us, and goes when nobody uses it any more. */
  static boolean isExtracted(Path file) {
    return LIBRARY.matcher(file.getFileName().toString()).matches();
  }

  /** Marks a library that is about to be loaded. */
  static void markUsed(Path library, Instant now) throws IOException {
    if (isOlder(library, MARKED_EVERY, now)) {
      Files.setLastModifiedTime(library, FileTime.from(now));
    }
  }

  /** Cleans a directory up; what cannot be removed stays. */
  static void remove(Path directory, Instant now) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        removeIfStale(file, now);
      }
    } catch (IOException | DirectoryIteratorException unreadable) {
      // The next version tries again.
    }
  }

  private static void removeIfStale(Path file, Instant now) {
    boolean library = isExtracted(file);
    if (!library && !file.getFileName().toString().startsWith(UNFINISHED)) {
      return;
    }
    try {
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          && isOlder(file, library ? LIBRARY_KEPT : REST_KEPT, now)) {
        Files.delete(file);
      }
    } catch (IOException inUse) {
      // Windows keeps what is loaded.
    }
  }

  private static boolean isOlder(Path file, Duration age, Instant now) throws IOException {
    return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
        .toInstant()
        .isBefore(now.minus(age));
  }
}
