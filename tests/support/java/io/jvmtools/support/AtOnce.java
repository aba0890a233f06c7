package io.jvmtools.support;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The same work on several threads that start together. */
public final class AtOnce {

  private AtOnce() {}

  /** What each thread does. */
  public interface Body {
    /** Runs on thread number 0, 1, …; what it throws fails the test. */
    void run(int number) throws Exception;
  }

  /** Runs the body on so many threads, and waits for all of them. */
  public static void run(int threads, Body body) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Future<Void>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        Callable<Void> task =
            () -> {
              start.await();
              body.run(number);
              return null;
            };
        results.add(pool.submit(task));
      }
      for (Future<Void> result : results) {
        result.get();
      }
    } finally {
      pool.shutdown();
    }
  }
}
