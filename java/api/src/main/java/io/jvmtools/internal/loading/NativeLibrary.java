package io.jvmtools.internal.loading;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.jvmtools.LibraryLoadException;
import io.jvmtools.VersionMismatchException;
import io.jvmtools.internal.environment.GeneralNatives;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds the native library and binds these classes to it.
 *
 * <p>Ways are tried in order until one succeeds: a library that is there already, the file that the
 * user names, which if there is no such library is the last one, {@code java.library.path}, and the
 * library in the jar. Of threads that come at the same time one tries, and the others wait for it,
 * but for a time only, because a user's class loader or logger may run meanwhile; then all try. The
 * JVM loads a file once.
 */
public final class NativeLibrary {

  private static final long PATIENCE = 5;

  private static final ReentrantLock FIRST = new ReentrantLock();

  private static volatile boolean bound;
  private static volatile @Nullable Path extracted;
  private static volatile @Nullable List<String> failed;

  private NativeLibrary() {}

  /**
   * Makes sure that the native methods of this package can be called.
   *
   * @throws LibraryLoadException if no way led to a library; it lists all of them
   * @throws VersionMismatchException if a library is there, but of another version
   */
  public static void load() {
    if (bound) {
      return;
    }
    Attempts attempts = new Attempts();
    if (!Binding.toPresent(attempts)) {
      requireNoFailure();
      boolean isFirst = waitForWhoeverIsFirst();
      try {
        if (!bound) {
          requireNoFailure();
          fromFilesOrJar(attempts);
        }
        bound = true;
      } finally {
        if (isFirst) {
          FIRST.unlock();
        }
      }
    }
    bound = true;
  }

  private static void fromFilesOrJar(Attempts attempts) {
    if (!fromFiles(attempts) && !fromJar(attempts)) {
      failed = attempts.lines();
      throw Attempts.failure(attempts.lines());
    }
  }

  /** What has failed once is not tried again: not by those who waited for it either. */
  private static void requireNoFailure() {
    List<String> known = failed;
    if (known != null) {
      throw Attempts.failure(known);
    }
  }

  /** False: he takes too long. */
  private static boolean waitForWhoeverIsFirst() {
    try {
      return FIRST.tryLock(PATIENCE, SECONDS);
    } catch (InterruptedException asBefore) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * A file of the library, to start another JVM with or to attach to it. Loads nothing.
   *
   * @return the file of the running library; if there is none, or if it is part of the executable,
   *     the one that would be loaded
   * @throws LibraryLoadException if there is none; it lists where it was looked for
   * @throws VersionMismatchException if the library that runs is of another version
   */
  public static Path file() {
    String image = isPresent() ? GeneralNatives.libraryPath() : null;
    Path running = image == null ? null : Path.of(image);
    if (running != null && Files.exists(running)) {
      return running;
    }
    Path known = extracted;
    if (known != null && Files.exists(known)) {
      return known;
    }
    Attempts misses = new Attempts();
    Path found = findFile(misses);
    if (found != null) {
      return found;
    }
    if (running != null) {
      return running;
    }
    throw new LibraryLoadException(
        "There is no native library of JvmTools. Looked at:", misses.lines());
  }

  /**
   * The option that starts a JVM with the library. Of a file that was extracted for this version
   * only it says how to get one that stays.
   *
   * @param options what follows the file; may be empty
   * @return a text that begins with the option, whole
   */
  public static String startOption(String options) {
    Path file = file();
    String lasting = " (a copy that stays where you say: java -jar jvmtools.jar extract DIR)";
    return "-agentpath:" + file + options + (StaleFiles.isExtracted(file) ? lasting : "");
  }

  /**
   * Whether the library that runs is part of the executable. Loads nothing.
   *
   * @throws VersionMismatchException if the library that runs is of another version
   */
  public static boolean isInExecutable() {
    return isPresent() && GeneralNatives.libraryPath() == null;
  }

  private static boolean isPresent() {
    return bound || Binding.toPresent(new Attempts());
  }

  /** The file that would be loaded, which is extracted if need be. */
  static @Nullable Path findFile(Attempts misses) {
    for (ChosenFile chosen : ChosenFile.all()) {
      if (chosen.file() != null) {
        return chosen.file();
      }
    }
    Path inLibraryPath = LibraryPath.find();
    if (inLibraryPath != null) {
      return inLibraryPath;
    }
    misses.add(LibraryPath.NAME, "no " + System.mapLibraryName(LibraryPath.LIBRARY));
    for (BundledLibrary library : BundledLibrary.forThisProcess(misses)) {
      for (Path directory : PrivateDirectory.candidates()) {
        Path file = extract(library, directory, misses);
        if (file != null) {
          return file;
        }
      }
    }
    return null;
  }

  private static boolean fromFiles(Attempts attempts) {
    for (ChosenFile chosen : ChosenFile.all()) {
      Path file = chosen.file();
      if (file == null) {
        attempts.add(chosen.name(), "not set");
      } else if (Image.loadNamed(file, chosen.name() + "=" + file, attempts)) {
        return true;
      } else if (attempts.isOver()) {
        return false;
      }
    }
    return Image.loadFromLibraryPath(attempts);
  }

  private static boolean fromJar(Attempts attempts) {
    if (attempts.isOver()) {
      return false;
    }
    for (BundledLibrary library : BundledLibrary.forThisProcess(attempts)) {
      for (Path directory : PrivateDirectory.candidates()) {
        if (fromJar(library, directory, attempts)) {
          return true;
        }
        if (attempts.isOver()) {
          return false;
        }
      }
    }
    return false;
  }

  private static boolean fromJar(BundledLibrary library, Path directory, Attempts attempts) {
    Path file = extract(library, directory, attempts);
    if (file == null) {
      return false;
    }
    String what = library.platform().classifier() + " of the jar, extracted to " + file;
    boolean loaded = Image.load(file, what, attempts);
    if (!loaded && !attempts.isOver() && Files.notExists(file)) {
      // Somebody cleaned up between the extraction and the loading.
      file = extract(library, directory, attempts);
      loaded = file != null && Image.load(file, what + " again", attempts);
    }
    if (loaded) {
      extracted = file;
    }
    return loaded;
  }

  private static @Nullable Path extract(BundledLibrary library, Path directory, Attempts attempts) {
    try {
      return library.extractTo(directory);
    } catch (IOException refused) {
      attempts.add(
          "extraction to " + directory, Explanation.ofExtraction(directory, library, refused));
      return null;
    }
  }
}
