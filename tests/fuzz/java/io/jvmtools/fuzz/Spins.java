package io.jvmtools.fuzz;

/**
 * What a victim does in a method of its own that calls nothing, so that its innermost frame can be
 * popped, or made to return early. There is one for each type that the JVM returns.
 */
public final class Spins {

  private static final int LENGTH = 100_000;

  /** What the next ones return: {@code void}, a primitive type, or {@link Object}. */
  private static volatile Class<?> next = void.class;

  /** Who has begun last, since somebody has said what is next. */
  private static volatile Thread latest;

  /** Written and read by each round, so that none is left out. */
  private volatile int at;

  Spins() {}

  /** Says what the next methods return in which victims spin. */
  public static void next(Class<?> type) {
    next = type;
    latest = null;
  }

  /**
   * Whether it is the one who has begun last. Whoever asked the JVM where it is, again and again,
   * would keep a virtual one from being mounted (25).
   */
  public static boolean isLatest(Thread thread) {
    return latest == thread;
  }

  /** Whether it is one of them, and returns that. */
  public static boolean is(String className, String descriptor, Class<?> type) {
    return className.equals(Spins.class.getName())
        && descriptor.equals("()" + type.descriptorString());
  }

  void spin() {
    Class<?> type = next;
    latest = Thread.currentThread();
    if (type == Object.class) {
      forObject();
    } else if (type == int.class) {
      forInt();
    } else if (type == long.class) {
      forLong();
    } else if (type == float.class) {
      forFloat();
    } else if (type == double.class) {
      forDouble();
    } else {
      forNothing();
    }
  }

  private void forNothing() {
    for (at = 0; at < LENGTH; at = at + 1) {
      // Stays here.
    }
  }

  private Object forObject() {
    for (at = 0; at < LENGTH; at = at + 1) {
      // Stays here.
    }
    return this;
  }

  private int forInt() {
    for (at = 0; at < LENGTH; at = at + 1) {
      // Stays here.
    }
    return at;
  }

  private long forLong() {
    for (at = 0; at < LENGTH; at = at + 1) {
      // Stays here.
    }
    return at;
  }

  private float forFloat() {
    for (at = 0; at < LENGTH; at = at + 1) {
      // Stays here.
    }
    return at;
  }

  private double forDouble() {
    for (at = 0; at < LENGTH; at = at + 1) {
      // Stays here.
    }
    return at;
  }
}
