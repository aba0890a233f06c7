package io.jvmtools.system;

/** In which direction a parameter of an extension goes, and how. */
public enum ParameterKind {
  /** A value that is passed in: {@code foo}. */
  IN(91),
  /** A pointer to a value that is passed in: {@code const foo*}. */
  IN_PTR(92),
  /** An array that is passed in: {@code const foo*}. */
  IN_BUF(93),
  /** An array that the JVM allocates for the answer: {@code foo**}. */
  ALLOC_BUF(94),
  /** An array of arrays that the JVM allocates for the answer: {@code foo***}. */
  ALLOC_ALLOC_BUF(95),
  /** A place of the caller for the answer: {@code foo*}. */
  OUT(96),
  /** An array of the caller for the answer: {@code foo*}. */
  OUT_BUF(97),
  /** One that this version of JvmTools does not know. */
  UNKNOWN(0);

  private final int number;

  ParameterKind(int number) {
    this.number = number;
  }

  static ParameterKind of(int number) {
    for (ParameterKind value : values()) {
      if (value.number == number) {
        return value;
      }
    }
    return UNKNOWN;
  }
}
