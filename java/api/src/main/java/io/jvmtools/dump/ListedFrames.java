package io.jvmtools.dump;

/**
 * Down to which depth the JVM lists the monitors that a thread owns: as far as its stack traces go,
 * which is what {@code -XX:MaxJavaStackTraceDepth} says.
 */
final class ListedFrames {

  /** What the option is unless somebody sets it. */
  private static final int DEFAULT = 1024;

  /** None: not measured yet. */
  private static int count;

  private ListedFrames() {}

  /** Not more than {@link #DEFAULT}, where the JVM goes on. */
  static int count() {
    if (count == 0) {
      try {
        count = measured();
      } catch (StackOverflowError smallStack) {
        return DEFAULT;
      }
    }
    return count;
  }

  private static int measured() {
    int depth = traceBelow(DEFAULT);
    // There are none at all with -XX:-StackTraceInThrowable, which changes nothing about monitors.
    return depth == 0 ? DEFAULT : Math.min(depth, DEFAULT);
  }

  private static int traceBelow(int frames) {
    return frames == 0 ? new Throwable().getStackTrace().length : traceBelow(frames - 1);
  }
}
