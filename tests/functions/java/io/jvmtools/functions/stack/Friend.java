package io.jvmtools.functions.stack;

/** Of the loader that loads the tests, also for a copy of {@link Befriended} in another one. */
public class Friend {

  /** What becomes another class of that name. */
  public static class Other {}
}
