package io.jvmtools.internal.loading;

import io.jvmtools.LibraryLoadException;
import java.util.ArrayList;
import java.util.List;

/** What was tried to get the native library, and why it did not lead to one. */
final class Attempts {

  private final List<String> lines = new ArrayList<>();
  private boolean denied;

  /** Notes how one attempt ended. */
  void add(String what, String outcome) {
    lines.add(what + ": " + outcome);
  }

  /** Notes that the JVM does not let these classes load native code, from anywhere. */
  void deny(String what, IllegalCallerException refused) {
    denied = true;
    String remedy = Explanation.ofDenial(NativeLibrary.class.getModule());
    add(what, Explanation.reason(refused) + "; " + remedy);
  }

  /** Whether all further attempts to load a file are in vain. */
  boolean isDenied() {
    return denied;
  }

  /** The attempts, the first one first. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  /** The one error that lists everything. */
  static LibraryLoadException failure(List<String> lines) {
    return new LibraryLoadException(
        "The native library of JvmTools could not be loaded. Tried:", lines);
  }
}
