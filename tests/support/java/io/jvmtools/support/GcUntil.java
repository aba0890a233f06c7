package io.jvmtools.support;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;

/** Collects garbage until something is gone. */
public final class GcUntil {

  /**
   * What holds a reference may be a thread that is on its way out: fifty collections may take a
   * tenth of a second.
   */
  private static final Duration BOUND = Duration.ofSeconds(20);

  private GcUntil() {}

  /** Collects until every reference is cleared, and fails if that takes too long. */
  public static void cleared(Reference<?>... references) {
    long deadline = System.nanoTime() + BOUND.toNanos();
    do {
      System.gc();
      if (List.of(references).stream().allMatch(reference -> reference.refersTo(null))) {
        return;
      }
    } while (System.nanoTime() - deadline < 0);
    throw new AssertionError("Still reachable after collections for " + BOUND);
  }

  /** Collects a few times, so that whatever the JVM frees at a collection is freed. */
  public static void settled() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
  }
}
