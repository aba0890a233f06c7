package io.jvmtools;

import io.jvmtools.stack.StackFrame;

/** What the {@code location} of a {@link StackFrame} counts. */
public enum LocationFormat {
  /** Locations are indexes into the bytecodes of the method. HotSpot uses these. */
  JVMBCI(1),
  /** Locations are native addresses. */
  MACHINEPC(2),
  /** Locations are something else. */
  OTHER(0);

  private final int number;

  LocationFormat(int number) {
    this.number = number;
  }

  static LocationFormat of(int number) {
    for (LocationFormat value : values()) {
      if (value.number == number) {
        return value;
      }
    }
    throw new IllegalStateException(
        "The JVM answered location format "
            + number
            + ", which this version of JvmTools does not know");
  }
}
