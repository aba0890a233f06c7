package io.jvmtools.stack;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.Lists;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.stack.FrameNatives;
import io.jvmtools.internal.stack.PackedFrames;
import io.jvmtools.internal.stack.StackFacts;
import io.jvmtools.internal.thread.ThreadReferences;
import io.jvmtools.thread.ThreadState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads stacks.
 *
 * <p>The JVM reserves the memory for as many frames as are asked for, for every thread and while
 * all of them stand still, so this class asks for few first and reads deeper stacks again.
 *
 * <p>On the current thread the call itself is on the stack: the native, a method of this class, the
 * public method that called it, and whatever the environment says stands above that. They are left
 * out, which is why the public methods call this class directly.
 */
final class Stacks {

  /** More frames than a stack can have. */
  static final int ALL = 1 << 24;

  private static final int FIRST_LIMIT = 512;
  private static final int GROWTH = 16;
  private static final int GROWTH_IN_LISTS = 4;

  /** How many threads one call reads: each of them takes local references. */
  private static final int THREADS_PER_CALL = 1 << 13;

  /** How many frames the JVM may reserve memory for in one call: 64 MB. */
  private static final int FRAMES_PER_CALL = 1 << 22;

  /** How many frames of deep stacks are read at once, for which all threads stand still. */
  private static final int DEEP_AT_ONCE = 1 << 16;

  /** The native, the method of this class, the public method. */
  private static final int OWN = 3;

  /** The same for a list of threads, which one more private method reads. */
  private static final int OWN_IN_LIST = 4;

  private Stacks() {}

  static StackTrace read(Environment environment, Thread thread, int start, int max) {
    requireNonNull(thread, "thread");
    requireDepth("start", start);
    requireMax(max);
    boolean current = thread == Thread.currentThread();
    int from = Math.min(start, ALL) + (current ? OWN + environment.framesAbove() : 0);
    int wanted = Math.min(max, ALL);
    int limit = Math.min(wanted, FIRST_LIMIT);
    while (true) {
      PackedFrames frames =
          PackedFrames.of(
              FrameNatives.getStackTrace(
                  environment.handle(), current ? null : thread, from, limit));
      if (frames.count() < limit || limit == wanted) {
        return environment.keep(StackTrace.of(frames, 0, wanted, thread, start));
      }
      limit = grown(limit, wanted);
    }
  }

  static int count(Environment environment, Thread thread) {
    Thread other = ThreadReferences.nullIfCurrent(thread);
    int count = FrameNatives.getFrameCount(environment.handle(), other);
    return environment.keep(other == null ? count - OWN - environment.framesAbove() : count);
  }

  static StackFrame at(Environment environment, Thread thread, int depth) {
    Thread other = ThreadReferences.nullIfCurrent(thread);
    requireDepth("depth", depth);
    int from = other == null ? Math.min(depth, ALL) + OWN + environment.framesAbove() : depth;
    long[] frame = FrameNatives.getFrameLocation(environment.handle(), other, from);
    return environment.keep(StackTrace.frame(frame[0], frame[1], thread, depth));
  }

  static List<ThreadStack> all(Environment environment, int max) {
    requireMax(max);
    return collect(environment, null, max).stream()
        .filter(stack -> stack.state().isAlive() && ThreadReferences.isBuilt(stack.thread()))
        .toList();
  }

  static List<ThreadStack> of(Environment environment, List<Thread> threads, int max) {
    Thread[] asked = requireNonNull(threads, "threads").toArray(Thread[]::new);
    Lists.requireNoneNull(asked, "threads");
    requireMax(max);
    return collect(environment, asked, max);
  }

  /** Reads all platform threads if none are asked for, then the deep stacks again, whole. */
  private static List<ThreadStack> collect(
      Environment environment, Thread @Nullable [] asked, int max) {
    int own = OWN_IN_LIST + environment.framesAbove();
    int wanted = Math.min(max, ALL) + own;
    int limit = Math.min(wanted, FIRST_LIMIT);
    StackList list = new StackList(max, own);
    if (asked == null) {
      list.add((StackFacts) FrameNatives.getAllStackTraces(environment.handle(), limit), limit);
    } else {
      int step = Math.min(THREADS_PER_CALL, FRAMES_PER_CALL / limit);
      for (int from = 0; from < asked.length; from += step) {
        Thread[] some = Arrays.copyOfRange(asked, from, Math.min(asked.length, from + step));
        list.add(
            (StackFacts) FrameNatives.getThreadListStackTraces(environment.handle(), some, limit),
            limit);
      }
    }
    while (limit < wanted && !list.cut.isEmpty()) {
      limit = (int) Math.min(wanted, (long) limit * GROWTH_IN_LISTS);
      int few = few(limit, limit);
      int[] deep = list.takeCut();
      for (int from = 0, to; from < deep.length; from = to) {
        to = from + Math.min(deep.length - from, few);
        int[] some = Arrays.copyOfRange(deep, from, to);
        Thread[] threads = list.threads(some);
        Object facts = FrameNatives.getThreadListStackTraces(environment.handle(), threads, limit);
        int each = list.replace(some, (StackFacts) facts, limit) / some.length;
        // Those that have ended, or have left their depth, say nothing of the next ones.
        few = few(Math.max(FIRST_LIMIT, each), limit);
      }
    }
    return environment.keep(Collections.unmodifiableList(list.stacks));
  }

  /**
   * How many stacks of so many frames are read at once, where each may have as many as are asked
   * for.
   */
  private static int few(int frames, int asked) {
    return Math.max(1, Math.min(DEEP_AT_ONCE / frames, 4 * DEEP_AT_ONCE / asked));
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
    private final int own;

    StackList(int max, int own) {
      this.max = max;
      this.own = own;
    }

    void add(StackFacts facts, int limit) {
      read(facts, limit, row -> stacks.size(), false);
    }

    /** How many frames that are. */
    int replace(int[] rows, StackFacts facts, int limit) {
      return read(facts, limit, row -> rows[row], true);
    }

    int[] takeCut() {
      int[] rows = cut.stream().mapToInt(Integer::intValue).toArray();
      cut.clear();
      return rows;
    }

    Thread[] threads(int[] rows) {
      return Arrays.stream(rows).mapToObj(row -> stacks.get(row).thread()).toArray(Thread[]::new);
    }

    private int read(StackFacts facts, int limit, IntUnaryOperator target, boolean again) {
      int all = 0;
      long[] packed = facts.packed();
      long width = packed[0];
      int at = 1;
      for (int row = 0; row < facts.threads().length; row++) {
        Thread thread = facts.threads()[row];
        ThreadState state = ThreadState.of((int) packed[at]);
        int count = (int) packed[at + 1];
        PackedFrames frames = PackedFrames.of(packed, at + 2, count, width);
        at += 2 + count * (int) width;
        all += count;
        int index = target.applyAsInt(row);
        int first = thread == Thread.currentThread() ? own : 0;
        ThreadStack stack =
            new ThreadStack(thread, state, StackTrace.of(frames, first, max, thread, 0));
        if (again) {
          stacks.set(index, stack);
        } else {
          stacks.add(stack);
        }
        if (count == limit) {
          cut.add(index);
        }
      }
      return all;
    }
  }
}
