package io.jvmtools.internal;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Loads a file of the library into this process, and binds these classes to it. */
final class Image {

  /** Held only while a private copy is made and loaded, so that there are never two. */
  private static final ReentrantLock PRIVATE_COPY = new ReentrantLock();

  private static volatile boolean copied;

  private Image() {}

  /**
   * Loads a file.
   *
   * @param what how the file was found, for the error
   */
  static boolean load(Path file, String what, Attempts attempts) {
    try {
      System.load(file.toString());
    } catch (IllegalCallerException denied) {
      attempts.deny(what, denied);
      return false;
    } catch (UnsatisfiedLinkError refused) {
      if (isLoadedElsewhere(refused)) {
        return loadCopy(file, what, attempts);
      }
      attempts.add(what, Explanation.ofLoading(file, refused));
      return false;
    }
    Attempts unbound = new Attempts();
    if (Binding.toLoaded(what, unbound)) {
      return true;
    }
    if (Binding.isRelocated()) {
      // The original classes, in the same class loader, have loaded the file: to the JVM there was
      // nothing to do, and the library was not told of these classes.
      return loadCopy(file, what, attempts);
    }
    attempts.addAll(unbound);
    return false;
  }

  /** Has the JVM look for it. */
  static boolean loadFromLibraryPath(Attempts attempts) {
    if (attempts.isDenied()) {
      return false;
    }
    Path file = LibraryPath.find();
    if (file != null) {
      return load(file, LibraryPath.NAME + ", " + file, attempts);
    }
    // The JVM's own libraries and a class loader's findLibrary are places that only it knows.
    try {
      System.loadLibrary(LibraryPath.LIBRARY);
    } catch (IllegalCallerException denied) {
      attempts.deny(LibraryPath.NAME, denied);
      return false;
    } catch (UnsatisfiedLinkError absent) {
      attempts.add(LibraryPath.NAME, Explanation.reason(absent));
      return false;
    }
    return Binding.toLoaded(LibraryPath.NAME, attempts);
  }

  /** The JVM gives a file to one class loader only, so this one gets a file of its own. */
  private static boolean loadCopy(Path file, String what, Attempts attempts) {
    boolean first = false;
    PRIVATE_COPY.lock();
    try {
      if (!copied) {
        copied = copyAndLoad(file, what, attempts);
        first = copied;
      }
    } finally {
      PRIVATE_COPY.unlock();
    }
    if (first) {
      System.getLogger("io.jvmtools")
          .log(
              Level.INFO,
              "Another copy of the classes has loaded JvmTools into this JVM already: this one uses"
                  + " a private copy of the native library. Environments of the two do not know of"
                  + " each other; start the JVM with -agentpath to share one");
    }
    return copied && Binding.toLoaded("a private copy of " + file, attempts);
  }

  private static boolean copyAndLoad(Path file, String what, Attempts attempts) {
    for (Path directory : PrivateDirectory.candidates()) {
      Path copy = null;
      try {
        PrivateDirectory.require(directory);
        copy = Files.createTempFile(directory, StaleFiles.PRIVATE_COPY, "-" + file.getFileName());
        Files.write(copy, Files.readAllBytes(file));
        PrivateDirectory.makeExecutable(copy);
        System.load(copy.toString());
        return true;
      } catch (IllegalCallerException denied) {
        attempts.deny(what, denied);
        return false;
      } catch (IOException refused) {
        attempts.add(what + ", copied to " + directory, Explanation.reason(refused));
      } catch (UnsatisfiedLinkError refused) {
        attempts.add(what + ", copied to " + directory, Explanation.ofLoading(copy, refused));
      } finally {
        discard(copy);
      }
    }
    return false;
  }

  /** The image stays mapped without its file, except on Windows, which deletes it at the end. */
  private static void discard(@Nullable Path copy) {
    if (copy != null && !copy.toFile().delete()) {
      copy.toFile().deleteOnExit();
    }
  }

  private static boolean isLoadedElsewhere(Throwable refused) {
    String message = refused.getMessage();
    return message != null && message.contains("already loaded in another classloader");
  }
}
