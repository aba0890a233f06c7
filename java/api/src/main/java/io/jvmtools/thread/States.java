package io.jvmtools.thread;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.Lists;
import io.jvmtools.internal.stack.FrameNatives;
import io.jvmtools.internal.stack.PackedStates;
import io.jvmtools.internal.stack.StackFacts;
import io.jvmtools.internal.thread.ThreadMap;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;

/** States of many threads, which no function tells but that for their stacks. */
final class States {

  /** The JVM reserves memory for each. */
  private static final int THREADS_PER_CALL = 8000;

  private static final int FRAMES = 1;

  private States() {}

  static Map<Thread, ThreadState> of(long env, Collection<Thread> threads) {
    Thread[] all = requireNonNull(threads, "threads").toArray(new Thread[0]);
    Lists.requireNoneNull(all, "threads");
    Map<Thread, ThreadState> states = new ThreadMap<>();
    int from = 0;
    do {
      int to = Math.min(all.length, from + THREADS_PER_CALL);
      Thread[] some = Arrays.copyOfRange(all, from, to);
      PackedStates.each(
          (StackFacts) FrameNatives.getThreadListStackTraces(env, some, FRAMES),
          (thread, bits) -> states.put(thread, ThreadState.of(bits)));
      from = to;
    } while (from < all.length);
    return Collections.unmodifiableMap(states);
  }
}
