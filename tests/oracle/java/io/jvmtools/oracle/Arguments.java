package io.jvmtools.oracle;

import java.io.IOException;

/**
 * What functions are called with in every environment and on every kind of thread: what a method
 * here answers is passed for the parameters of its name. A parameter that has none here does not
 * compile in {@code Functions}: it gets one, that leaves no trace.
 *
 * @param thread which is asked about
 * @param object which is asked about
 * @param group which is asked about
 */
record Arguments(Thread thread, Object object, ThreadGroup group) {

  static Arguments with(Thread thread) {
    return new Arguments(thread, Names.object("any object"), new ThreadGroup("any group"));
  }

  /** More than one, for a list of one is a case of its own. */
  Thread[] threads() {
    return new Thread[] {thread, Actor.unstarted()};
  }

  Thread[] except() {
    return new Thread[0];
  }

  Class<?> type() {
    return String.class;
  }

  Throwable exception() {
    return new IOException();
  }

  Runnable body() {
    return () -> {};
  }

  int priority() {
    return Thread.NORM_PRIORITY;
  }

  int startDepth() {
    return 0;
  }

  int maxFrames() {
    return 100;
  }

  int depth() {
    return 0;
  }

  /** A thread's local storage. */
  long value() {
    return 5;
  }

  long tag() {
    return 6;
  }

  long[] tags() {
    return new long[] {tag()};
  }

  /** An error's number. */
  int code() {
    return 15;
  }

  String flag() {
    return "JNI";
  }

  boolean on() {
    return false;
  }

  String[] capabilities() {
    return new String[0];
  }
}
