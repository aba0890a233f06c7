package io.jvmtools.internal.loading;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Loads a file of the library into this process, and binds these classes to it. */
final class Image {

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
      return loadedElsewhere(refused) || fails(file, what, refused, attempts);
    }
    return Binding.toLoaded(what, attempts);
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
    } catch (UnsatisfiedLinkError refused) {
      return loadedElsewhere(refused) || fails(null, LibraryPath.NAME, refused, attempts);
    }
    return Binding.toLoaded(LibraryPath.NAME, attempts);
  }

  /**
   * Whether another class loader was faster: the JVM gives a file to one class loader only, and
   * says so when that has loaded it, so that there is a library in the process by now.
   */
  private static boolean loadedElsewhere(UnsatisfiedLinkError refused) {
    String message = refused.getMessage();
    return message != null
        && message.contains("already loaded in another classloader")
        && Binding.toPresent(new Attempts());
  }

  private static boolean fails(
      @Nullable Path file, String what, UnsatisfiedLinkError refused, Attempts attempts) {
    attempts.add(what, Explanation.ofLoading(file, refused));
    return false;
  }
}
