package io.jvmtools.oracle.events;

/** Fields and results of every type. */
final class ActedValues {

  private static boolean truth;
  private static byte small;
  private static char letter;
  private static short shorter;
  private int number;
  private long longer;
  private float single;
  private double twice;
  private Object object;
  private int[] array;

  private ActedValues() {}

  static void writes() {
    ActedValues values = new ActedValues();
    truth = true;
    small = -1;
    letter = '\uffff';
    shorter = -2;
    values.number = -3;
    values.longer = -4L << 40;
    values.single = -1.5f;
    values.twice = Double.MIN_VALUE;
    values.object = "a text";
    values.object = null;
    values.array = new int[1];
  }

  static void reads() {
    ActedValues values = new ActedValues();
    if (truth || small + letter + shorter + values.number > 0) {
      return;
    }
    if (values.longer + values.single + values.twice == 0 && values.object == values.array) {
      return;
    }
    throw new IllegalStateException("it was written");
  }

  static void returns() {
    truth();
    small();
    letter();
    shorter();
    number();
    longer();
    single();
    twice();
    text();
    nothing();
    try {
      fails();
    } catch (Acted.Problem problem) {
      nothing();
    }
  }

  private static boolean truth() {
    return true;
  }

  private static byte small() {
    return -1;
  }

  private static char letter() {
    return '\uffff';
  }

  private static short shorter() {
    return -2;
  }

  private static int number() {
    return -3;
  }

  private static long longer() {
    return -4L << 40;
  }

  private static float single() {
    return -1.5f;
  }

  private static double twice() {
    return Double.MIN_VALUE;
  }

  private static String text() {
    return "a text";
  }

  private static Object nothing() {
    return null;
  }

  private static int fails() {
    throw new Acted.Problem();
  }
}
