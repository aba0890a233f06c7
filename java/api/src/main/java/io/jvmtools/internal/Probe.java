package io.jvmtools.internal;

import org.jspecify.annotations.Nullable;

/** The one exported native: it links only if the library is in the process. */
public final class Probe {

  private Probe() {}

  /**
   * Binds this class loader's copy of the classes to the library.
   *
   * @return null when bound, nothing if the JVM has ended before, else version, ABI and file of a
   *     library that does not fit
   */
  public static native @Nullable String bind(int abi, String version);
}
