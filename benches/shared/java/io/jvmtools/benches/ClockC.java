package io.jvmtools.benches;

/** CPU clocks in nanoseconds. Java has that of the process in hundredths of a second only. */
final class ClockC {
  private ClockC() {}

  /** Of the calling thread. */
  static native long threadCpuNanos();

  /** Of all threads of the process. */
  static native long processCpuNanos();
}
