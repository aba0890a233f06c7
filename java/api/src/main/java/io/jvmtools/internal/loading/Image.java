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
    return load(file, what, attempts, Attempts::add);
  }

  /** Loads a file that the user names: if that is none, it is the last that is tried. */
  static boolean loadNamed(Path file, String what, Attempts attempts) {
    return load(file, what, attempts, Attempts::end);
  }

  private static boolean load(Path file, String what, Attempts attempts, Note ifNone) {
    try {
      System.load(file.toString());
    } catch (IllegalCallerException denied) {
      attempts.deny(what, denied);
      return false;
    } catch (UnsatisfiedLinkError refused) {
      if (isLoadedElsewhere(refused)) {
        return Binding.toPresent(new Attempts()) || fails(file, what, refused, attempts);
      }
      ifNone.note(attempts, what, Explanation.ofLoading(file, refused));
      return false;
    }
    return Binding.toLoaded(what, attempts);
  }

  /** How it is noted that a file is no library, or not there. */
  private interface Note {
    void note(Attempts attempts, String what, String outcome);
  }

  /** Has the JVM look for it. */
  static boolean loadFromLibraryPath(Attempts attempts) {
    if (attempts.isOver()) {
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
      return (isLoadedElsewhere(refused) && Binding.toPresent(new Attempts()))
          || fails(null, LibraryPath.NAME, refused, attempts);
    }
    return Binding.toLoaded(LibraryPath.NAME, attempts);
  }

  /**
   * Whether another class loader was faster: the JVM gives a file to one class loader only, and
   * says so when that has loaded it, so that there is a library in the process by now.
   */
  private static boolean isLoadedElsewhere(UnsatisfiedLinkError refused) {
    String message = refused.getMessage();
    return message != null && message.contains("already loaded in another classloader");
  }

  private static boolean fails(
      @Nullable Path file, String what, UnsatisfiedLinkError refused, Attempts attempts) {
    attempts.add(what, Explanation.ofLoading(file, refused));
    return false;
  }
}
