package io.jvmtools.neighbour;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long something took, many times: eight classes for each doubling, and the longest exactly.
 */
final class Waits {

  private static final int CLASSES = 8;

  private final AtomicLongArray counts = new AtomicLongArray(64 * CLASSES);
  private final AtomicLong longest = new AtomicLong();

  /** Notes one that took so many nanoseconds. */
  void add(long nanos) {
    long positive = Math.max(1, nanos);
    counts.incrementAndGet(classOf(positive));
    longest.accumulateAndGet(positive, Math::max);
  }

  long longestNanos() {
    return longest.get();
  }

  /** The least bound of a class that so great a part of all stay below. */
  long quantileNanos(double part) {
    long all = 0;
    for (int i = 0; i < counts.length(); i++) {
      all += counts.get(i);
    }
    long wanted = (long) Math.ceil(all * part);
    long seen = 0;
    for (int i = 0; i < counts.length(); i++) {
      seen += counts.get(i);
      if (seen >= wanted && seen > 0) {
        return Math.min(longest.get(), boundOf(i));
      }
    }
    return 0;
  }

  private static int classOf(long nanos) {
    int doublings = 63 - Long.numberOfLeadingZeros(nanos);
    long fraction = doublings < 3 ? nanos << (3 - doublings) : nanos >> (doublings - 3);
    return doublings * CLASSES + (int) (fraction & (CLASSES - 1));
  }

  private static long boundOf(int index) {
    return (long) Math.scalb(1 + (index % CLASSES + 1) / (double) CLASSES, index / CLASSES);
  }

  /** For people. */
  static String text(long nanos) {
    if (nanos < 1_000_000_000L) {
      return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
    return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }
}
