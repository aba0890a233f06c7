package io.jvmtools.system;

/** In which direction a parameter of an extension goes, and how. */
public enum ParameterKind {
  /** A value that is passed in: {@code foo}. */
  IN,
  /** A pointer to a value that is passed in: {@code const foo*}. */
  IN_PTR,
  /** An array that is passed in: {@code const foo*}. */
  IN_BUF,
  /** An array that the JVM allocates for the answer: {@code foo**}. */
  ALLOC_BUF,
  /** An array of arrays that the JVM allocates for the answer: {@code foo***}. */
  ALLOC_ALLOC_BUF,
  /** A place of the caller for the answer: {@code foo*}. */
  OUT,
  /** An array of the caller for the answer: {@code foo*}. */
  OUT_BUF,
  /** One that this version of JvmTools does not know. */
  UNKNOWN;

  /** The number of the first one. */
  private static final int FIRST = 91;

  static ParameterKind of(int number) {
    int index = number - FIRST;
    return 0 <= index && index < values().length ? values()[index] : UNKNOWN;
  }
}
