package io.jvmtools.internal;

import io.jvmtools.LibraryLoadException;
import io.jvmtools.VersionMismatchException;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds the native library and binds these classes to it.
 *
 * <p>Ways are tried in order until one succeeds: an agent that is there already, the file of the
 * property {@code jvmtools.library.path}, {@code java.library.path}, and the library in the jar.
 * Threads that come at the same time all try; the JVM loads a file once. No lock is held while a
 * user's class loader or logger may run.
 */
public final class NativeLibrary {

  private static final String PATH_PROPERTY = "jvmtools.library.path";
  private static final String NAME = "jvmtools";
  private static final String AGENT = "an agent in this JVM";

  /** Held only while a private copy is made and loaded, so that there are never two. */
  private static final ReentrantLock PRIVATE_COPY = new ReentrantLock();

  private static volatile boolean bound;
  private static volatile boolean copied;
  private static volatile @Nullable Path extracted;
  private static volatile @Nullable List<String> failed;

  private final List<String> attempts = new ArrayList<>();
  private boolean denied;

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
    NativeLibrary attempt = new NativeLibrary();
    if (attempt.bind(AGENT)) {
      return;
    }
    List<String> known = failed;
    if (known != null) {
      throw loadFailure(known);
    }
    if (attempt.fromProperty() || attempt.fromLibraryPath() || attempt.fromJar()) {
      return;
    }
    failed = List.copyOf(attempt.attempts);
    throw loadFailure(attempt.attempts);
  }

  /**
   * A file of the library, to start another JVM with or to attach to it. Loads nothing.
   *
   * @return the file of the running library; if there is none, the one that would be loaded
   * @throws LibraryLoadException if there is none; it lists where it was looked for
   * @throws VersionMismatchException if the library that runs is of another version
   */
  public static Path file() {
    boolean present = bound || new NativeLibrary().bind(AGENT);
    Path running = present ? Path.of(GeneralNatives.libraryPath()) : null;
    if (running != null && Files.exists(running)) {
      return running;
    }
    Path known = extracted;
    if (known != null) {
      return known;
    }
    List<String> misses = new ArrayList<>();
    Path found = findFile(misses);
    if (found != null) {
      return found;
    }
    if (running != null) {
      return running;
    }
    throw new LibraryLoadException("There is no native library of JvmTools. Looked at:", misses);
  }

  private static @Nullable Path findFile(List<String> misses) {
    String chosen = System.getProperty(PATH_PROPERTY);
    if (chosen != null) {
      return Path.of(chosen).toAbsolutePath();
    }
    for (String entry : System.getProperty("java.library.path", "").split(File.pathSeparator, -1)) {
      Path file = Path.of(entry, System.mapLibraryName(NAME)).toAbsolutePath();
      if (Files.isRegularFile(file)) {
        return file;
      }
    }
    misses.add("java.library.path: no " + System.mapLibraryName(NAME));
    BundledLibrary library = bundled(misses);
    if (library != null) {
      for (Path directory : candidates()) {
        Path file = extract(library, directory, misses);
        if (file != null) {
          return file;
        }
      }
    }
    return null;
  }

  private boolean fromProperty() {
    String chosen = System.getProperty(PATH_PROPERTY);
    if (chosen == null) {
      attempts.add("property " + PATH_PROPERTY + ": not set");
      return false;
    }
    return open(Path.of(chosen).toAbsolutePath(), "property " + PATH_PROPERTY + "=" + chosen);
  }

  private boolean fromLibraryPath() {
    if (denied) {
      return false;
    }
    String what = "java.library.path";
    try {
      System.loadLibrary(NAME);
    } catch (UnsatisfiedLinkError | IllegalCallerException refused) {
      attempts.add(what + ": " + explain(refused));
      return false;
    }
    return bind(what);
  }

  private boolean fromJar() {
    BundledLibrary library = denied ? null : bundled(attempts);
    if (library == null) {
      return false;
    }
    for (Path directory : candidates()) {
      Path file = extract(library, directory, attempts);
      if (file != null && open(file, "extracted to " + file)) {
        extracted = file;
        return true;
      }
      if (denied) {
        return false;
      }
    }
    return false;
  }

  private boolean open(Path file, String what) {
    try {
      System.load(file.toString());
    } catch (UnsatisfiedLinkError | IllegalCallerException refused) {
      if (isLoadedElsewhere(refused)) {
        return openCopy(file, what);
      }
      attempts.add(what + ": " + explain(refused).replace(file + ": ", ""));
      return false;
    }
    return bind(what);
  }

  /** The JVM gives a file to one class loader only, so this one gets a file of its own. */
  private boolean openCopy(Path file, String what) {
    boolean first = false;
    PRIVATE_COPY.lock();
    try {
      if (!copied) {
        copied = loadCopy(file, what);
        first = copied;
      }
    } finally {
      PRIVATE_COPY.unlock();
    }
    if (first) {
      System.getLogger("io.jvmtools")
          .log(
              Level.INFO,
              "Another class loader of this JVM has loaded JvmTools already: this copy of the"
                  + " classes uses a private copy of the native library. Environments of the two"
                  + " do not know of each other; start the JVM with -agentpath to share one");
    }
    return copied && bind("a private copy of " + file);
  }

  private boolean loadCopy(Path file, String what) {
    for (Path directory : candidates()) {
      Path copy = null;
      try {
        PrivateDirectory.require(directory);
        copy = Files.createTempFile(directory, "private-", "-" + file.getFileName());
        Files.write(copy, Files.readAllBytes(file));
        PrivateDirectory.makeExecutable(copy);
        System.load(copy.toString());
        return true;
      } catch (IOException | UnsatisfiedLinkError | IllegalCallerException refused) {
        attempts.add(what + ", copied to " + directory + ": " + explain(refused));
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

  private boolean bind(String what) {
    try {
      String version = version();
      String other = Probe.bind(Bridge.ABI, version);
      if (other != null) {
        throw new VersionMismatchException(version + " (ABI " + Bridge.ABI + ")", other);
      }
      bound = true;
      return true;
    } catch (UnsatisfiedLinkError absent) {
      String outcome = what.equals(AGENT) ? "none" : "loaded, but it is not a library of JvmTools";
      attempts.add(what + ": " + outcome);
    } catch (LinkageError | IllegalCallerException unfit) {
      attempts.add(what + ": " + explain(unfit));
    }
    return false;
  }

  private static @Nullable BundledLibrary bundled(List<String> misses) {
    try {
      return BundledLibrary.of(Platform.current());
    } catch (IOException missing) {
      misses.add("the jar: " + missing.getMessage());
      return null;
    }
  }

  private static @Nullable Path extract(
      BundledLibrary library, Path directory, List<String> misses) {
    try {
      return library.extractTo(directory);
    } catch (IOException refused) {
      misses.add("extraction to " + directory + ": " + reason(refused));
      return null;
    }
  }

  private static List<Path> candidates() {
    return PrivateDirectory.candidates(System::getProperty, System::getenv);
  }

  private String explain(Throwable refused) {
    if (refused instanceof IllegalCallerException) {
      denied = true;
      return reason(refused) + "; " + nativeAccess(NativeLibrary.class.getModule());
    }
    String reason = reason(refused);
    if (isNoexec(reason)) {
      return reason
          + "; the file system does not allow to execute files: name a directory that does with"
          + " -Djvmtools.extract.dir";
    }
    return reason;
  }

  private static String nativeAccess(Module module) {
    String allow =
        module.isNamed()
            ? "--enable-native-access=" + module.getName()
            : "--enable-native-access=ALL-UNNAMED, or put Enable-Native-Access: ALL-UNNAMED into"
                + " the manifest of the jar that is started";
    Path file = findFile(new ArrayList<>());
    String agent = file == null ? "/path/to/" + System.mapLibraryName(NAME) : file.toString();
    return "start the JVM with " + allow + ", or start it with the agent: -agentpath:" + agent;
  }

  /** An {@code IOException} about a file often has nothing but the name of the file to say. */
  private static String reason(Throwable refused) {
    String message = refused.getMessage();
    String type = refused.getClass().getSimpleName();
    if (message == null) {
      return type;
    }
    boolean speaks = message.indexOf(' ') >= 0;
    return speaks ? message : type + ": " + message;
  }

  static boolean isNoexec(String message) {
    return message.contains("failed to map segment") || message.contains("Operation not permitted");
  }

  private static boolean isLoadedElsewhere(Throwable refused) {
    String message = refused.getMessage();
    return message != null && message.contains("already loaded in another classloader");
  }

  private static LibraryLoadException loadFailure(List<String> attempts) {
    return new LibraryLoadException(
        "The native library of JvmTools could not be loaded. Tried:", attempts);
  }

  private static String version() {
    Properties properties = new Properties();
    try (InputStream in =
        NativeLibrary.class.getResourceAsStream("/META-INF/jvmtools.properties")) {
      if (in != null) {
        properties.load(in);
      }
    } catch (IOException unreadable) {
      return "unknown";
    }
    return properties.getProperty("version", "unknown");
  }
}
