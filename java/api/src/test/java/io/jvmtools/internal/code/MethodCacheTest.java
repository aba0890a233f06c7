package io.jvmtools.internal.code;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MethodCacheTest {

  private final Classes classes = new Classes();
  private final MethodCache<Method> cache = new MethodCache<>(classes);

  @Test
  void asksTheJvmOnceForEachMethod() {
    Method first = cache.get(8);

    assertThat(cache.get(8)).isSameAs(first);
    assertThat(cache.get(16).id()).isEqualTo(16);
    assertThat(classes.asked).hasValue(2);
  }

  @Test
  void keepsEveryMethodWhenItGrows() {
    int methods = 50_000;
    for (long id = 1; id <= methods; id++) {
      assertThat(cache.get(id * 8).id()).isEqualTo(id * 8);
    }
    assertThat(cache.capacity()).isGreaterThanOrEqualTo(2 * methods);

    int asked = classes.asked.get();
    for (long id = 1; id <= methods; id++) {
      assertThat(cache.get(id * 8).id()).isEqualTo(id * 8);
    }
    assertThat(classes.asked).hasValue(asked);
  }

  @Test
  void asksAgainAboutAnIdWhoseClassWasCollected() {
    Method before = cache.get(8);
    classes.collect(before);
    Method after = cache.get(8);

    assertThat(after).isNotSameAs(before);
    assertThat(classes.known).isSameAs(before);
    assertThat(cache.get(8)).isSameAs(after);
  }

  @Test
  void keepsTheOldNamesOfAnUnloadedClass() {
    Method before = cache.get(8);
    classes.collect(before);
    classes.unloaded = true;

    assertThat(cache.get(8)).isSameAs(before);
    assertThat(cache.get(8)).isSameAs(before);
  }

  @Test
  void doesNotKeepWhatIsNotLoaded() {
    classes.unloaded = true;
    Method unknown = cache.get(8);
    classes.unloaded = false;

    assertThat(cache.get(8)).isNotSameAs(unknown);
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  void doesNotGrowForMethodsThatAreCollected() {
    int capacity = cache.capacity();
    for (long id = 1; id <= 100_000; id++) {
      classes.collect(cache.get(id * 8));
    }
    assertThat(cache.capacity()).isEqualTo(capacity);
    assertThat(cache.size()).isLessThanOrEqualTo(capacity);
  }

  @Test
  void forgetsMethodsThatAreCollectedThoughNoneComesToIt() {
    int initial = cache.capacity();
    Method kept = cache.get(8);
    List<Method> others = new ArrayList<>();
    for (long id = 2; id <= 10_000; id++) {
      others.add(cache.get(id * 8));
    }
    others.forEach(classes::collect);
    int asked = classes.asked.get();
    int capacity = cache.capacity();
    for (int i = 0; i < capacity; i++) {
      cache.sweep();
    }
    assertThat(cache.size()).isEqualTo(1);
    assertThat(cache.capacity()).isEqualTo(initial);
    assertThat(cache.get(8)).isSameAs(kept);
    assertThat(classes.asked).hasValue(asked);
  }

  @Test
  void sweepingForgetsNothingThatIsLive() {
    for (long id = 1; id <= 1000; id++) {
      cache.get(id * 8);
    }
    int capacity = cache.capacity();
    for (int i = 0; i < capacity; i++) {
      cache.sweep();
    }
    assertThat(cache.size()).isEqualTo(1000);
    assertThat(cache.capacity()).isEqualTo(capacity);
  }

  @Test
  void answersManyThreadsRightWhileItGrows() throws Exception {
    int threads = 8;
    int methods = 20_000;
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<Integer>> wrong = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        long stride = 2L * t + 1;
        Callable<Integer> reader =
            () -> {
              start.await();
              int count = 0;
              for (long i = 0; i < 5L * methods; i++) {
                long id = (i * stride % methods + 1) * 8;
                count += cache.get(id).id() == id ? 0 : 1;
              }
              return count;
            };
        wrong.add(pool.submit(reader));
      }
      for (Future<Integer> count : wrong) {
        assertThat(count.get()).isZero();
      }
    } finally {
      pool.shutdown();
    }
    assertThat(cache.size()).isBetween(methods / 2, methods);
  }

  private record Method(long id, Object identity) {}

  /** A JVM whose classes are collected when the test says so. */
  private static final class Classes implements MethodCache.Source<Method> {

    private final Set<Object> collected = ConcurrentHashMap.newKeySet();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile boolean unloaded;
    private volatile @Nullable Method known;

    void collect(Method method) {
      collected.add(method.identity());
    }

    @Override
    public boolean isLive(Method method) {
      return !collected.contains(method.identity());
    }

    @Override
    public Method resolve(long id, @Nullable Method known) {
      asked.incrementAndGet();
      this.known = known;
      if (!unloaded) {
        return new Method(id, new Object());
      }
      if (known != null) {
        return known;
      }
      Method nobody = new Method(id, new Object());
      collect(nobody);
      return nobody;
    }
  }
}
