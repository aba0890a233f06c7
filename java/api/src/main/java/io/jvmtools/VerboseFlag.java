package io.jvmtools;

/** What the JVM can be told to report on its standard output, like {@code -verbose} does. */
public enum VerboseFlag {
  /** Garbage collections, like {@code -verbose:gc}. */
  GC(1),
  /** Loading of classes, like {@code -verbose:class}. */
  CLASS(2),
  /** JNI activity, like {@code -verbose:jni}. */
  JNI(4),
  /** Whatever else the JVM can report. */
  OTHER(0);

  private final int number;

  VerboseFlag(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
