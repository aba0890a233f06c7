package io.jvmtools.internal.code;

import java.util.Arrays;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/** A method's line number table. A line holds from its start location to the next start. */
public final class LineTable {

  private static final LineTable EMPTY = new LineTable(new int[0]);

  /** Start location and line, in turn, by ascending start. */
  private final int[] pairs;

  private LineTable(int[] pairs) {
    this.pairs = pairs;
  }

  /**
   * The table with these entries, which need not be sorted: compilers may emit them in any order.
   *
   * @param entries start location and line, in turn
   * @return the table
   */
  public static LineTable of(int[] entries) {
    return entries.length == 0 ? EMPTY : new LineTable(isSorted(entries) ? entries : sort(entries));
  }

  /**
   * The line of a location, as the JVM itself computes it for an exception: of entries with the
   * same start the first one wins at that very location, the last one after it.
   *
   * @param location a bytecode index
   * @return the line, empty if the table says nothing about the location
   */
  public OptionalInt line(long location) {
    int low = 0;
    int high = pairs.length >> 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (pairs[middle << 1] < location) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    boolean exact = low << 1 < pairs.length && pairs[low << 1] == location;
    int entry = exact ? low : low - 1;
    return entry < 0 || location < 0
        ? OptionalInt.empty()
        : OptionalInt.of(pairs[(entry << 1) + 1]);
  }

  private static boolean isSorted(int[] entries) {
    for (int i = 2; i < entries.length; i += 2) {
      if (entries[i - 2] > entries[i]) {
        return false;
      }
    }
    return true;
  }

  private static int[] sort(int[] entries) {
    Integer[] order = IntStream.range(0, entries.length >> 1).boxed().toArray(Integer[]::new);
    Arrays.sort(order, Comparator.comparingInt(i -> entries[i << 1]));
    int[] sorted = new int[order.length << 1];
    for (int i = 0; i < order.length; i++) {
      sorted[i << 1] = entries[order[i] << 1];
      sorted[(i << 1) + 1] = entries[(order[i] << 1) + 1];
    }
    return sorted;
  }
}
