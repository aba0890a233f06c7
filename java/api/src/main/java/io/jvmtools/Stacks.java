package io.jvmtools;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.FrameNatives;
import io.jvmtools.internal.PackedFrames;
import io.jvmtools.internal.StackFacts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads stacks for both doors.
 *
 * <p>The JVM reserves the memory for as many frames as are asked for, for every thread and while
 * all of them stand still, so this class asks for few first and reads deeper stacks again.
 *
 * <p>On the current thread the call itself is on the stack: the native, a method of this class and
 * the public method that called it. They are left out, which is why the public methods call this
 * class directly.
 */
final class Stacks {

  /** More frames than a stack can have. */
  static final int ALL = 1 << 24;

  private static final int FIRST_LIMIT = 512;
  private static final int GROWTH = 16;

  /** How many threads one call reads: each of them takes local references. */
  private static final int THREADS_PER_CALL = 1 << 13;

  /** How many frames the JVM may reserve memory for in one call: 64 MB. */
  private static final int FRAMES_PER_CALL = 1 << 22;

  /** The native, the method of this class, the public method. */
  private static final int OWN = 3;

  /** The same for a list of threads, which one more private method reads. */
  private static final int OWN_IN_LIST = 4;

  private Stacks() {}

  static StackTrace read(Jvmti jvmti, Thread thread, int start, int max) {
    requireNonNull(thread, "thread");
    requireDepth("start", start);
    requireMax(max);
    boolean current = thread == Thread.currentThread();
    int from = Math.min(start, ALL) + (current ? OWN : 0);
    int wanted = Math.min(max, ALL);
    int limit = Math.min(wanted, FIRST_LIMIT);
    while (true) {
      PackedFrames frames =
          PackedFrames.of(
              FrameNatives.getStackTrace(jvmti.handle(), current ? null : thread, from, limit));
      if (frames.count() < limit || limit == wanted) {
        return jvmti.keep(StackTrace.of(frames, 0, wanted));
      }
      limit = grown(limit, wanted);
    }
  }

  static int count(Jvmti jvmti, Thread thread) {
    Thread other = Threads.nullIfCurrent(thread);
    int count = FrameNatives.getFrameCount(jvmti.handle(), other);
    return jvmti.keep(other == null ? count - OWN : count);
  }

  static StackFrame at(Jvmti jvmti, Thread thread, int depth) {
    Thread other = Threads.nullIfCurrent(thread);
    requireDepth("depth", depth);
    int from = other == null ? Math.min(depth, ALL) + OWN : depth;
    long[] frame = FrameNatives.getFrameLocation(jvmti.handle(), other, from);
    return jvmti.keep(new StackFrame(Methods.get(frame[0]), frame[1]));
  }

  static List<ThreadStack> all(Jvmti jvmti, int max) {
    requireMax(max);
    return collect(jvmti, null, max).stream()
        .filter(stack -> Threads.isBuilt(stack.thread()))
        .toList();
  }

  static List<ThreadStack> of(Jvmti jvmti, List<Thread> threads, int max) {
    Thread[] asked = requireNonNull(threads, "threads").toArray(Thread[]::new);
    for (Thread thread : asked) {
      requireNonNull(thread, "threads");
    }
    requireMax(max);
    return collect(jvmti, asked, max);
  }

  /** Reads all platform threads if none are asked for, then the deep stacks again, whole. */
  private static List<ThreadStack> collect(Jvmti jvmti, Thread @Nullable [] asked, int max) {
    int wanted = Math.min(max, ALL) + OWN_IN_LIST;
    int limit = Math.min(wanted, FIRST_LIMIT);
    StackList list = new StackList(max);
    if (asked == null) {
      list.add((StackFacts) FrameNatives.getAllStackTraces(jvmti.handle(), limit), limit);
    } else {
      int step = Math.min(THREADS_PER_CALL, FRAMES_PER_CALL / limit);
      for (int from = 0; from < asked.length; from += step) {
        Thread[] some = Arrays.copyOfRange(asked, from, Math.min(asked.length, from + step));
        list.add(
            (StackFacts) FrameNatives.getThreadListStackTraces(jvmti.handle(), some, limit), limit);
      }
    }
    while (limit < wanted && !list.cut.isEmpty()) {
      limit = grown(limit, wanted);
      int step = Math.max(1, FRAMES_PER_CALL / limit);
      int[] deep = list.takeCut();
      for (int from = 0; from < deep.length; from += step) {
        int[] some = Arrays.copyOfRange(deep, from, Math.min(deep.length, from + step));
        Thread[] threads = list.threads(some);
        list.replace(
            some,
            (StackFacts) FrameNatives.getThreadListStackTraces(jvmti.handle(), threads, limit),
            limit);
      }
    }
    return jvmti.keep(Collections.unmodifiableList(list.stacks));
  }

  private static int grown(int limit, int wanted) {
    return (int) Math.min(wanted, (long) limit * GROWTH);
  }

  private static void requireMax(int max) {
    if (max <= 0) {
      throw new IllegalArgumentException("maxFrames must be positive: " + max);
    }
  }

  private static void requireDepth(String name, int depth) {
    if (depth < 0) {
      throw new IllegalArgumentException(name + " must not be negative: " + depth);
    }
  }

  /** The stacks read so far, and which of them were cut off by the limit of the call. */
  private static final class StackList {

    private final List<ThreadStack> stacks = new ArrayList<>();
    private final List<Integer> cut = new ArrayList<>();
    private final int max;

    StackList(int max) {
      this.max = max;
    }

    void add(StackFacts facts, int limit) {
      read(facts, limit, row -> stacks.size(), false);
    }

    void replace(int[] rows, StackFacts facts, int limit) {
      read(facts, limit, row -> rows[row], true);
    }

    int[] takeCut() {
      int[] rows = cut.stream().mapToInt(Integer::intValue).toArray();
      cut.clear();
      return rows;
    }

    Thread[] threads(int[] rows) {
      return Arrays.stream(rows).mapToObj(row -> stacks.get(row).thread()).toArray(Thread[]::new);
    }

    private void read(StackFacts facts, int limit, IntUnaryOperator target, boolean again) {
      long[] packed = facts.packed();
      long width = packed[0];
      int at = 1;
      for (int row = 0; row < facts.threads().length; row++) {
        Thread thread = facts.threads()[row];
        ThreadState state = ThreadState.of((int) packed[at]);
        int count = (int) packed[at + 1];
        PackedFrames frames = PackedFrames.of(packed, at + 2, count, width);
        at += 2 + count * (int) width;
        int index = target.applyAsInt(row);
        if (again && count == 0) {
          continue; // The thread has ended since; what was seen of it stays.
        }
        int own = thread == Thread.currentThread() ? OWN_IN_LIST : 0;
        ThreadStack stack = new ThreadStack(thread, state, StackTrace.of(frames, own, max));
        if (again) {
          stacks.set(index, stack);
        } else {
          stacks.add(stack);
        }
        if (count == limit) {
          cut.add(index);
        }
      }
    }
  }
}
