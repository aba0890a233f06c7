package io.jvmtools.support;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits, without sleeping, for what only the JVM or the kernel can make true. */
public final class Eventually {

  private static final Duration BOUND = Duration.ofMinutes(1);

  private Eventually() {}

  /** Returns as soon as {@code condition} holds, and fails if it does not within a bound. */
  public static void isTrue(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + BOUND.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("Not within " + BOUND + ": " + what);
      }
      Thread.yield();
    }
  }
}
