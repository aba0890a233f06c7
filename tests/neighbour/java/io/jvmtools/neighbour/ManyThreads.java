package io.jvmtools.neighbour;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** A thread for each task: virtual ones where there are any, and a tenth as many where not. */
final class ManyThreads {

  /** Whether there are virtual threads. */
  static final boolean VIRTUAL = Runtime.version().feature() >= 21;

  /** How many threads a program with many of them has. */
  static final int COUNT = VIRTUAL ? 20_000 : 2_000;

  private static final int SEEN = 512;

  private final AtomicReferenceArray<Thread> seen = new AtomicReferenceArray<>(SEEN);
  private final ExecutorService executor = VIRTUAL ? virtual() : Executors.newCachedThreadPool();

  ExecutorService executor() {
    return executor;
  }

  /** Remembers the calling thread in place of another, chosen at random. */
  void remember() {
    Thread current = Thread.currentThread();
    if (VIRTUAL) {
      seen.setOpaque(ThreadLocalRandom.current().nextInt(SEEN), current);
    }
  }

  /** Those that are remembered and alive. */
  List<Thread> remembered() {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < SEEN; i++) {
      Thread thread = seen.getOpaque(i);
      if (thread != null && thread.isAlive()) {
        threads.add(thread);
      }
    }
    return threads;
  }

  /** Whether the calling thread is what it should be. */
  static boolean isRightKind() {
    return isVirtual(Thread.currentThread()) == VIRTUAL;
  }

  private static ExecutorService virtual() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isVirtual(Thread thread) {
    try {
      return IsVirtual.METHOD != null && (boolean) IsVirtual.METHOD.invoke(thread);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class IsVirtual {
    private static final Method METHOD = find();

    private static Method find() {
      try {
        return VIRTUAL ? Thread.class.getMethod("isVirtual") : null;
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
