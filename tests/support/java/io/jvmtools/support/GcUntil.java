package io.jvmtools.support;

import java.lang.ref.Reference;
import java.util.List;

/** Collects garbage until something is gone. */
public final class GcUntil {

  private static final int MOST = 50;

  private GcUntil() {}

  /** Collects until every reference is cleared, and fails if that takes too many collections. */
  public static void cleared(Reference<?>... references) {
    for (int i = 0; i < MOST; i++) {
      System.gc();
      if (List.of(references).stream().allMatch(reference -> reference.refersTo(null))) {
        return;
      }
    }
    throw new AssertionError("Still reachable after " + MOST + " collections");
  }

  /** Collects a few times, so that whatever the JVM frees at a collection is freed. */
  public static void settled() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
  }
}
