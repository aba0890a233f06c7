package io.jvmtools.dump;

import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Threads that wait for each other in a circle and have not gone on between two looks at them. The
 * JDK's bean finds no deadlock in which one wants a monitor again that it gave back for {@link
 * Object#wait()}, but tells each wait.
 */
final class StandingCircles {

  private StandingCircles() {}

  /**
   * The numbers of those threads.
   *
   * @param infos what they wait for, each read at a moment of its own; null for one that has ended
   * @param again reads that once more
   */
  static Set<Long> among(ThreadInfo[] infos, Function<long[], ThreadInfo[]> again) {
    List<ThreadInfo> waiting = Stream.of(infos).filter(StandingCircles::waits).toList();
    Map<Long, Integer> rows = new HashMap<>();
    for (int row = 0; row < waiting.size(); row++) {
      rows.put(waiting.get(row).getThreadId(), row);
    }
    int[] waitsFor =
        waiting.stream()
            .mapToInt(one -> rows.getOrDefault(one.getLockOwnerId(), DeadlockFinder.NOBODY))
            .toArray();
    List<ThreadInfo> standing = new ArrayList<>();
    for (int[] circle : DeadlockFinder.circles(waitsFor)) {
      List<ThreadInfo> before = IntStream.of(circle).mapToObj(waiting::get).toList();
      ThreadInfo[] after =
          again.apply(before.stream().mapToLong(ThreadInfo::getThreadId).toArray());
      if (haveStood(before, after)) {
        standing.addAll(before);
      }
    }
    return standing.stream().map(ThreadInfo::getThreadId).collect(Collectors.toSet());
  }

  /** Without an end of its own. */
  private static boolean waits(ThreadInfo info) {
    return info != null
        && info.getLockInfo() != null
        && (info.getThreadState() == Thread.State.BLOCKED
            || info.getThreadState() == Thread.State.WAITING);
  }

  /**
   * Whether each of them has waited for the same all the time. Then there was a moment, between the
   * last of the first looks and the first of the second, at which all did.
   */
  private static boolean haveStood(List<ThreadInfo> before, ThreadInfo[] after) {
    for (int i = 0; i < after.length; i++) {
      if (!isSameWait(before.get(i), after[i])) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSameWait(ThreadInfo before, ThreadInfo after) {
    return waits(after)
        && after.getThreadState() == before.getThreadState()
        && after.getBlockedCount() == before.getBlockedCount()
        && after.getWaitedCount() == before.getWaitedCount()
        && after.getLockOwnerId() == before.getLockOwnerId()
        && Objects.equals(after.getLockName(), before.getLockName());
  }
}
