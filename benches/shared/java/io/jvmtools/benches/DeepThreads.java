package io.jvmtools.benches;

import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** Parked threads with deep stacks. */
final class DeepThreads {

  private static final long STACK_SIZE = 256 << 10;

  private volatile boolean over;

  private DeepThreads() {}

  /** Does something while so many threads are parked, each with so many frames in all. */
  static void during(int count, int frames, Action action) throws Exception {
    DeepThreads probe = new DeepThreads();
    Thread shallow = probe.launch(1);
    awaitParked(shallow);
    int besides = shallow.getStackTrace().length - 1;
    probe.end(List.of(shallow));

    DeepThreads deep = new DeepThreads();
    List<Thread> threads =
        IntStream.range(0, count).mapToObj(ignored -> deep.launch(frames - besides)).toList();
    try {
      for (Thread thread : threads) {
        awaitParked(thread);
      }
      action.run(threads);
    } finally {
      deep.end(threads);
    }
  }

  private Thread launch(int frames) {
    Thread thread = new Thread(null, () -> Deep.run(frames, this::park), "deep", STACK_SIZE);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void end(List<Thread> some) throws InterruptedException {
    over = true;
    some.forEach(LockSupport::unpark);
    for (Thread thread : some) {
      thread.join();
    }
  }

  private void park() {
    while (!over) {
      LockSupport.park(this);
    }
  }

  private static void awaitParked(Thread thread) throws InterruptedException {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.sleep(1);
    }
  }

  /** What is done meanwhile. */
  @FunctionalInterface
  interface Action {
    void run(List<Thread> threads) throws Exception;
  }
}
