package io.jvmtools;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * The native library in this JVM belongs to another version of JvmTools than the Java classes do.
 *
 * <p>Usually the JVM was started with the {@code -agentpath} of one version and the jar of another.
 */
public final class VersionMismatchException extends LibraryLoadException {

  private static final long serialVersionUID = 1L;

  /** The Java side. */
  private final String jar;

  /** The native side. */
  private final String library;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param jar version and interface number of the Java classes
   * @param library version, interface number and file of the native library
   */
  public VersionMismatchException(String jar, String library) {
    super(
        "The classes are JvmTools "
            + jar
            + ", but the native library in this JVM is JvmTools "
            + library
            + ". Use the same version of both: change -agentpath, jvmtools.library.path or the jar",
        List.of());
    this.jar = requireNonNull(jar, "jar");
    this.library = requireNonNull(library, "library");
  }

  /**
   * What the Java classes are.
   *
   * @return version and interface number, for example {@code "0.1.0 (ABI 1)"}
   */
  public String jar() {
    return jar;
  }

  /**
   * What the native library is.
   *
   * @return version, interface number and file
   */
  public String library() {
    return library;
  }
}
