package io.jvmtools.examples;

import java.time.Duration;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/** What the demonstration is doing meanwhile, on standard error. */
final class Progress {

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int WIDTH = 30;
  private static final int STEPS = 4;

  private Progress() {}

  /** Tells how many rows are loaded: on a terminal a bar that grows, else a few lines. */
  static void rows(int loaded) {
    int all = H2Bank.ROWS;
    if (Style.OUT.isTerminal()) {
      int done = (int) ((long) loaded * WIDTH / all);
      String bar = Style.OUT.bar(done) + " ".repeat(WIDTH - done);
      String end = loaded < all ? "" : System.lineSeparator();
      System.err.printf(Locale.ROOT, "\rLoading H2 %s %,d of %,d rows%s", bar, loaded, all, end);
    } else if (loaded % (all / STEPS) == 0) {
      System.err.printf(Locale.ROOT, "Loading H2: %,d of %,d rows%n", loaded, all);
    }
  }

  /** Returns when the condition holds; fails when it has not come true within a minute. */
  static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("waited for a minute for " + what);
      }
      Thread.yield();
    }
  }
}
