package io.jvmtools.dump;

import static io.jvmtools.dump.DeadlockFinder.NOBODY;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DeadlockFinderTest {

  @Test
  void whereNobodyWaitsThereIsNone() {
    assertThat(circles()).isEmpty();
    assertThat(circles(NOBODY, NOBODY)).isEmpty();
  }

  @Test
  void aChainIsNone() {
    assertThat(circles(1, 2, NOBODY)).isEmpty();
  }

  @Test
  void twoThatWaitForEachOtherAreOne() {
    assertThat(circles(1, 0)).containsExactly(List.of(0, 1));
  }

  @Test
  void aCircleIsToldInTheOrderOfWaitingFromItsLowestNumber() {
    assertThat(circles(NOBODY, 3, 1, 2)).containsExactly(List.of(1, 3, 2));
  }

  @Test
  void whoWaitsForACircleIsNotInIt() {
    assertThat(circles(1, 4, NOBODY, 4, 5, 4)).containsExactly(List.of(4, 5));
    assertThat(circles(5, 4, NOBODY, 4, 5, 4)).containsExactly(List.of(4, 5));
  }

  @Test
  void circlesAreIndependent() {
    assertThat(circles(3, 2, 1, 5, 0, 0)).containsExactly(List.of(0, 3, 5), List.of(1, 2));
  }

  @Test
  void aThreadIsNoCircleOnItsOwn() {
    assertThat(circles(0, 0, 1)).isEmpty();
  }

  @Test
  void aMillionThreadsAreNoMatter() {
    int[] waitsFor = new int[1_000_000];
    Arrays.setAll(waitsFor, i -> i + 1);
    waitsFor[999_999] = 500_000;
    List<int[]> circles = DeadlockFinder.circles(waitsFor);
    assertThat(circles).hasSize(1);
    assertThat(circles.get(0)).hasSize(500_000).startsWith(500_000, 500_001);
  }

  @Test
  void anyGraphIsReadAsByFollowingEachThread() {
    Random random = new Random(42);
    for (int round = 0; round < 2_000; round++) {
      int[] waitsFor = new int[1 + random.nextInt(12)];
      Arrays.setAll(waitsFor, i -> random.nextInt(waitsFor.length + 1) - 1);
      List<Integer> found = circles(waitsFor).stream().flatMap(List::stream).toList();
      assertThat(found).doesNotHaveDuplicates();
      assertThat(new TreeSet<>(found)).isEqualTo(whoComesBack(waitsFor));
    }
  }

  /** Those that are met again on the way from them, but for those that wait for themselves. */
  private static TreeSet<Integer> whoComesBack(int[] waitsFor) {
    TreeSet<Integer> members = new TreeSet<>();
    for (int start = 0; start < waitsFor.length; start++) {
      int at = waitsFor[start];
      for (int step = 0; step < waitsFor.length && at != NOBODY && at != start; step++) {
        at = waitsFor[at];
      }
      if (at == start && waitsFor[start] != start) {
        members.add(start);
      }
    }
    return members;
  }

  private static List<List<Integer>> circles(int... waitsFor) {
    List<List<Integer>> circles = new ArrayList<>();
    for (int[] circle : DeadlockFinder.circles(waitsFor)) {
      circles.add(Arrays.stream(circle).boxed().toList());
    }
    return circles;
  }
}
