package io.jvmtools.internal.loading;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Why the library could not be loaded, and what to do, in words. */
final class Explanation {

  private static final String CHOOSE =
      ": name another directory with -Djvmtools.extract.dir or JVMTOOLS_EXTRACT_DIR";

  private Explanation() {}

  /** An {@code IOException} about a file often has nothing but the name of the file to say. */
  static String reason(Throwable refused) {
    String message = refused.getMessage();
    String type = refused.getClass().getSimpleName();
    if (message == null) {
      return type;
    }
    boolean speaks = message.indexOf(' ') >= 0;
    return speaks ? message : type + ": " + message;
  }

  /** Why the library could not be extracted to a directory. */
  static String ofExtraction(Path directory, BundledLibrary library, IOException refused) {
    String why = reason(refused);
    FileStore store = store(directory);
    if (store != null && store.isReadOnly()) {
      return why + "; the file system is read-only" + CHOOSE;
    }
    if (refused instanceof NoSuchFileException) {
      return why + CHOOSE;
    }
    long free = free(store);
    long needed = library.size();
    if (free >= 0 && free < needed) {
      return why
          + "; the file system is full: "
          + free
          + " bytes are free, the library has "
          + needed
          + CHOOSE;
    }
    return why;
  }

  /** Why the JVM could not load a file. */
  static String ofLoading(@Nullable Path file, UnsatisfiedLinkError refused) {
    String why = reason(refused);
    if (file == null) {
      return why;
    }
    why = why.replace(file + ": ", "");
    boolean noexec = MountTable.ofThisProcess().isNoexec(file) || isNoexec(why);
    return noexec ? why + "; " + ofNoexec() : why;
  }

  /** A file system from which nothing can be loaded. */
  static String ofNoexec() {
    return "the file system does not allow to execute files (noexec)" + CHOOSE;
  }

  /** How to let a module load native code. */
  static String ofDenial(Module module) {
    Path file = NativeLibrary.findFile(new Attempts());
    String agent =
        file == null ? "/path/to/" + System.mapLibraryName(LibraryPath.LIBRARY) : file.toString();
    return NativeAccess.remedy(module, agent);
  }

  /** What the dynamic linker says where {@code /proc/self/mounts} cannot. */
  static boolean isNoexec(String message) {
    return message.contains("failed to map segment") || message.contains("Operation not permitted");
  }

  private static @Nullable FileStore store(Path directory) {
    for (Path path = directory; path != null; path = path.getParent()) {
      if (Files.exists(path)) {
        try {
          return Files.getFileStore(path);
        } catch (IOException unknown) {
          return null;
        }
      }
    }
    return null;
  }

  private static long free(@Nullable FileStore store) {
    try {
      return store == null ? -1 : store.getUsableSpace();
    } catch (IOException unknown) {
      return -1;
    }
  }
}
