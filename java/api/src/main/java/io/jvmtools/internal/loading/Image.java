package io.jvmtools.internal.loading;

import java.nio.file.Path;

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

  private static boolean load(Path file, String what, Attempts attempts, Attempts.Note ifNone) {
    try {
      System.load(file.toString());
    } catch (IllegalCallerException denied) {
      attempts.deny(what, denied);
      return false;
    } catch (UnsatisfiedLinkError refused) {
      if (isLoadedElsewhere(refused) && Binding.toPresent(new Attempts())) {
        return true;
      }
      ifNone.note(attempts, what, Explanation.ofLoading(file, refused));
      return false;
    }
    return Binding.toLoaded(what, attempts, ifNone);
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
      if (isLoadedElsewhere(refused) && Binding.toPresent(new Attempts())) {
        return true;
      }
      attempts.add(LibraryPath.NAME, Explanation.ofLoading(null, refused));
      return false;
    }
    return Binding.toLoaded(LibraryPath.NAME, attempts, Attempts::add);
  }

  /**
   * Whether another class loader was faster: the JVM gives a file to one class loader only, and
   * says so when that has loaded it, so that there is a library in the process by now.
   */
  private static boolean isLoadedElsewhere(UnsatisfiedLinkError refused) {
    String message = refused.getMessage();
    return message != null && message.contains("already loaded in another classloader");
  }
}
