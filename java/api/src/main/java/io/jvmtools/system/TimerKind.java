package io.jvmtools.system;

/** What a timer of the JVM counts. */
public enum TimerKind {
  /** CPU time in user mode. */
  USER_CPU(30),
  /** CPU time in user mode and in the kernel. */
  TOTAL_CPU(31),
  /** Elapsed time, whether a CPU was used or not. */
  ELAPSED(32);

  private final int number;

  TimerKind(int number) {
    this.number = number;
  }

  static TimerKind of(int number) {
    for (TimerKind value : values()) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalStateException(
        "The JVM answered timer kind " + number + ", which this version of JvmTools does not know");
  }
}
