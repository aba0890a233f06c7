package io.jvmtools.internal.loading;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code java -jar jvmtools.jar}: puts the library of the jar where an image or an option names it.
 */
public final class Main {

  private static final String USAGE =
      "usage: java -jar jvmtools.jar extract DIR [PLATFORM]\n"
          + "  puts the native library into DIR, under its own name, in place of one that is"
          + " there;\n"
          + "  PLATFORM: "
          + String.join(", ", Platform.SUPPORTED)
          + "; this one if none is named";

  private static final Set<String> HELP = Set.of("help", "-h", "-help", "--help");

  private static final int FAILED = 1;
  private static final int MISUSED = 2;

  private Main() {}

  /**
   * Does what the arguments say, and ends the JVM with 1 if that fails, with 2 if they say nothing.
   *
   * @param arguments {@code extract}, a directory, and for which platform
   */
  public static void main(String... arguments) {
    int status = run(List.of(arguments), System.out, System.err);
    if (status != 0) {
      System.exit(status);
    }
  }

  static int run(List<String> arguments, PrintStream out, PrintStream err) {
    if (HELP.containsAll(arguments) && arguments.size() == 1) {
      out.println(USAGE);
      return 0;
    }
    int count = arguments.size();
    boolean isKnown = count == 2 || count == 3;
    if (!isKnown || !arguments.get(0).equals("extract") || arguments.contains("")) {
      err.println(USAGE);
      return MISUSED;
    }
    try {
      Path file = extract(Path.of(arguments.get(1)), count == 3 ? arguments.get(2) : null);
      out.println(file);
      // The JVM takes what follows for the options of the agent.
      boolean endsEarly = file.toString().contains("=");
      String option = endsEarly ? "none that names a path with a '='" : "-agentpath:" + file;
      out.println("for a JVM that starts with it: " + option);
      out.println("for one that loads it later:   -Djvmtools.library.path=" + file);
      return 0;
    } catch (IOException | RuntimeException failure) {
      err.println("jvmtools: " + reason(failure));
      return FAILED;
    }
  }

  private static String reason(Exception failure) {
    if (failure instanceof FileAlreadyExistsException || failure instanceof NotDirectoryException) {
      return failure.getMessage() + " is there and is no directory";
    }
    if (failure instanceof AccessDeniedException) {
      return failure.getMessage() + " may not be written";
    }
    if (failure instanceof NoSuchFileException) {
      return failure.getMessage() + " cannot be made";
    }
    return Explanation.reason(failure);
  }

  private static Path extract(Path directory, @Nullable String classifier) throws IOException {
    Platform platform = classifier == null ? Platform.current() : Platform.named(classifier);
    BundledLibrary library = BundledLibrary.of(platform);
    if (library == null) {
      throw new IOException(BundledLibrary.missing(platform, BundledLibrary.carried()));
    }
    return library.copyTo(directory.toAbsolutePath().normalize());
  }
}
