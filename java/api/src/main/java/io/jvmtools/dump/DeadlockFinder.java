package io.jvmtools.dump;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds circles among threads each of which waits for at most one other. It looks at each thread
 * twice at most.
 */
final class DeadlockFinder {

  /** Waits for nobody. */
  static final int NOBODY = -1;

  private DeadlockFinder() {}

  /**
   * The circles, each beginning with its lowest number, in the order of these.
   *
   * <p>One that waits for itself is in none, and the JVM sees it so too: it is a lock whose owner
   * was read a moment after its wait, or one that only a stranger can release.
   *
   * @param waitsFor for each the one it waits for, or {@link #NOBODY}
   */
  static List<int[]> circles(int[] waitsFor) {
    List<int[]> circles = new ArrayList<>();
    int[] seenFrom = new int[waitsFor.length];
    Arrays.fill(seenFrom, NOBODY);
    for (int start = 0; start < waitsFor.length; start++) {
      int at = start;
      while (at != NOBODY && seenFrom[at] == NOBODY) {
        seenFrom[at] = start;
        at = waitsFor[at];
      }
      if (at != NOBODY && seenFrom[at] == start && waitsFor[at] != at) {
        circles.add(circle(waitsFor, at));
      }
    }
    circles.sort((a, b) -> Integer.compare(a[0], b[0]));
    return circles;
  }

  private static int[] circle(int[] waitsFor, int member) {
    int size = 1;
    int lowest = member;
    for (int at = waitsFor[member]; at != member; at = waitsFor[at]) {
      size++;
      lowest = Math.min(lowest, at);
    }
    int[] circle = new int[size];
    int at = lowest;
    for (int i = 0; i < size; i++) {
      circle[i] = at;
      at = waitsFor[at];
    }
    return circle;
  }
}
