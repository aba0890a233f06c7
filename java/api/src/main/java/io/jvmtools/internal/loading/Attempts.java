package io.jvmtools.internal.loading;

import io.jvmtools.LibraryLoadException;
import java.util.ArrayList;
import java.util.List;

/** What was tried to get the native library, and why it did not lead to one. */
final class Attempts {

  private final List<String> lines = new ArrayList<>();
  private boolean over;

  /** How it is noted that a file is no library of ours, or not there. */
  interface Note {
    void note(Attempts attempts, String what, String outcome);
  }

  /** Notes how one attempt ended. */
  void add(String what, String outcome) {
    lines.add(what + ": " + outcome);
  }

  /** Notes that the JVM does not let these classes load native code, from anywhere. */
  void deny(String what, IllegalCallerException refused) {
    over = true;
    String remedy = Explanation.ofDenial(NativeLibrary.class.getModule());
    add(what, Explanation.reason(refused) + "; " + remedy);
  }

  /** Notes that a file is no library of ours which the user names: who names one wants no other. */
  void end(String what, String outcome) {
    over = true;
    add(what, outcome + "; no other place was looked at, because this one is named");
  }

  /** Whether all further attempts to load a file are in vain, or not wanted. */
  boolean isOver() {
    return over;
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
