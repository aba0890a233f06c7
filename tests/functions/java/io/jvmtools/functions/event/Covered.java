package io.jvmtools.functions.event;

/** A class whose coverage is recorded, and whose constant others change. */
final class Covered {

  private Covered() {}

  static String answer(boolean asked) {
    if (asked) {
      return "one";
    }
    return "nobody has asked";
  }
}
