package io.jvmtools.dump;

import io.jvmtools.internal.Lists;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Threads that wait for each other in a circle, and so for ever: each of them for a monitor or a
 * lock that the next one owns, and the last one for one that the first one owns.
 *
 * <p>A thread that merely waits for one of them is not in the circle. A wait with a time-out counts
 * like any other, as it does for the JVM.
 *
 * @param threads the threads, at least two; what each waits for is in {@link
 *     DumpedThread#waitsFor()}
 */
public record Deadlock(List<DumpedThread> threads) {

  /**
   * Copies the list.
   *
   * @param threads the threads
   */
  public Deadlock {
    threads = Lists.copyOf(threads, "threads");
  }

  /** Which thread waits for which lock: what makes it the same deadlock at another time. */
  Map<Long, Optional<DumpedLock>> waits() {
    return threads.stream()
        .collect(
            Collectors.toMap(
                DumpedThread::id, thread -> thread.waitsFor().flatMap(DumpedWait::lock)));
  }

  /**
   * Who waits for what and where, who holds it, and where it got it.
   *
   * @return several lines, without a line end after the last
   */
  @Override
  public String toString() {
    return DeadlockText.of(this);
  }
}
