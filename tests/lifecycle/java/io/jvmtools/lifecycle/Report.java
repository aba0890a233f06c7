package io.jvmtools.lifecycle;

import io.jvmtools.Agent;
import io.jvmtools.JvmTools;
import io.jvmtools.Phase;
import io.jvmtools.support.Child;

/** A child that uses the library and says how that came in. */
final class Report {

  private Report() {}

  /** Uses the library at once, or, with an argument, when the parent says so. */
  public static void main(String[] args) {
    for (String expected : args) {
      Child.say("ready");
      Child.await(expected);
    }
    print();
  }

  static void print() {
    if (JvmTools.getPhase() != Phase.LIVE || JvmTools.getAllThreads().isEmpty()) {
      throw new AssertionError("the library does not work");
    }
    Child.say("origin " + Agent.origin());
    Child.say("library " + Agent.libraryPath());
    Child.say("module " + JvmTools.class.getModule());
  }
}
