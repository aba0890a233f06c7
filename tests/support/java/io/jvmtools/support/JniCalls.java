package io.jvmtools.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

/**
 * Native code that calls the JVM so many times, and that changes its table as another agent would.
 */
public final class JniCalls {

  /**
   * The library, which is an agent, too: when the JVM ends it prints whether a slot is as it was.
   */
  public static final Path LIBRARY = Installation.root().resolve("build/libjnicalls.so");

  static {
    System.load(LIBRARY.toString());
  }

  private JniCalls() {}

  /** What {@link #getFieldId} looks for. */
  public static final class WithAField {
    double field = 1;
  }

  /** What {@link #variadic} calls. */
  private static final class Told {

    private final Object answer = new Object();

    @SuppressWarnings("unused") // Native code calls it.
    Object told(
        double a,
        int b,
        float c,
        char d,
        long e,
        String f,
        double g,
        int h,
        double i,
        int j,
        int k,
        double l,
        long m,
        double n,
        double o,
        double p) {
      assertThat(new double[] {a, b, c, d, e, g, h, i, j, k, l, m, n, o, p})
          .containsExactly(1.5, 2, 2.5, '3', 4, 6.5, 7, 8.5, 9, 10, 11.5, 12, 13.5, 14.5, 15.5);
      assertThat(f).isEqualTo("5");
      return answer;
    }
  }

  /** So many calls of {@code CallObjectMethod}, with arguments in all kinds of places. */
  public static void variadic(int times) {
    Told told = new Told();
    assertThat(callVariadic(told, told.answer, "5", times)).as("wrong answers").isZero();
  }

  /** So many calls of {@code GetVersion}; the last answer. */
  public static native int getVersion(int times);

  private static native int callVariadic(Object told, Object expected, String text, int times);

  /** So many calls of {@code GetFieldID}; how many have found it. */
  public static native int getFieldId(Class<?> of, int times);

  /** What is in a slot of the table: an address. */
  public static native long function(int slot);

  /** How many functions the table has. */
  public static native int filled();

  /** Puts a function of its own over {@code GetVersion}, which calls what was there. */
  public static native int cover();

  /** Puts back what was below that function. */
  public static native int uncover();

  /** How often that function was called. */
  public static native long coveringCalls();

  /** Copies the table. */
  public static native int save();

  /** Puts that copy in the place of the table. */
  public static native int putBack();

  /** What is in the slot now is to be there when the JVM ends. */
  public static native void remember(int slot);
}
