package io.jvmtools.oracle.events;

/** What the actor runs, of which events are told; of other classes none are. */
final class Acted {

  /** What the actor waits for, makes, and wants. */
  static final class Lock {}

  /** What it throws. */
  static final class Problem extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Problem() {
      super("acted", null, false, false);
    }
  }

  private Acted() {}

  static int counts(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += adds(i);
    }
    return sum;
  }

  static int adds(int i) {
    return i + i;
  }

  static int catches() {
    try {
      return fails(1);
    } catch (Problem problem) {
      return 2;
    }
  }

  static int fails(int n) {
    if (n > 0) {
      throw new Problem();
    }
    return n;
  }
}
