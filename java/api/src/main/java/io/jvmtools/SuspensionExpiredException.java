package io.jvmtools;

import io.jvmtools.internal.Lists;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The deadline passed before the action had ended, and the threads were resumed.
 *
 * <p>Most likely the action waited for a lock that one of the threads owned. It may have seen them
 * running, so its result is discarded; if it failed, its own exception is {@linkplain
 * #getSuppressed() suppressed} by this one.
 */
public final class SuspensionExpiredException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private static final int MOST_NAMES = 20;

  private final transient @Nullable List<Thread> threads;

  /**
   * Creates an exception; the library does that, and tests of code that handles it.
   *
   * @param threads the threads that were resumed
   */
  public SuspensionExpiredException(List<Thread> threads) {
    super(
        "the deadline passed before the action had ended, which needs more time or waits for one of"
            + " these threads; they run again: "
            + names(threads));
    this.threads = List.copyOf(threads);
  }

  /**
   * The threads that had been suspended, and were resumed when the deadline passed.
   *
   * @return an unmodifiable list; empty if this exception was serialized
   */
  public List<Thread> threads() {
    return threads == null ? List.of() : threads;
  }

  private static String names(List<Thread> threads) {
    String names =
        Lists.copyOf(threads, "threads").stream()
            .limit(MOST_NAMES)
            .map(thread -> '"' + thread.getName() + '"')
            .collect(Collectors.joining(", "));
    int more = threads.size() - MOST_NAMES;
    return more > 0 ? names + " and " + more + " more" : names;
  }
}
