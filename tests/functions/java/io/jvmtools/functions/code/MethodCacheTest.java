package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.internal.code.MethodCache;
import io.jvmtools.support.AtOnce;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The table behind every stack, from many threads at once. */
@Tag(UnderTheAgentTest.ONCE)
class MethodCacheTest {

  private static final int THREADS = 8;

  @Test
  void everyThreadGetsTheMethodOfItsId() throws Exception {
    LongAdder resolved = new LongAdder();
    MethodCache<Named> cache =
        new MethodCache<>(
            new Source() {
              @Override
              public Named resolve(long id, Named known) {
                resolved.increment();
                return new Named(id, 0);
              }
            });
    int ids = 20_000;
    AtOnce.run(
        THREADS,
        seed -> {
          Random random = new Random(seed);
          for (int i = 0; i < 100_000; i++) {
            long id = id(random.nextInt(ids));
            assertThat(cache.get(id).id).isEqualTo(id);
          }
        });
    // A race may cost a second look, but nothing is looked up again and again.
    assertThat(resolved.sum()).isBetween((long) ids * 9 / 10, (long) ids * THREADS);
    long before = resolved.sum();
    for (int i = 0; i < ids; i++) {
      cache.get(id(i));
    }
    for (int i = 0; i < ids; i++) {
      cache.get(id(i));
    }
    assertThat(resolved.sum() - before).isLessThan(ids);
  }

  @Test
  void aMethodThatIsGoneIsLookedUpAgain() throws Exception {
    AtomicLong generation = new AtomicLong();
    ConcurrentHashMap<Long, Long> born = new ConcurrentHashMap<>();
    MethodCache<Named> cache =
        new MethodCache<>(
            new Source() {
              @Override
              public boolean isLive(Named method) {
                return method.generation == generation.get();
              }

              @Override
              public Named resolve(long id, Named known) {
                Named method = new Named(id, generation.get());
                born.merge(id, 1L, Long::sum);
                return method;
              }
            });
    for (int round = 0; round < 5; round++) {
      AtOnce.run(
          THREADS,
          seed -> {
            for (int i = 0; i < 5_000; i++) {
              Named method = cache.get(id(i));
              assertThat(method.id).isEqualTo(id(i));
              assertThat(method.generation).isEqualTo(generation.get());
            }
          });
      generation.incrementAndGet();
    }
    assertThat(born).hasSize(5_000).allSatisfy((id, times) -> assertThat(times).isBetween(5L, 40L));
  }

  @Test
  void aMethodThatIsNeverLiveIsHandedOutAndNotKept() {
    LongAdder resolved = new LongAdder();
    MethodCache<Named> cache =
        new MethodCache<>(
            new Source() {
              @Override
              public boolean isLive(Named method) {
                return false;
              }

              @Override
              public Named resolve(long id, Named known) {
                assertThat(known).isNull();
                resolved.increment();
                return new Named(id, 0);
              }
            });
    for (int i = 0; i < 10_000; i++) {
      assertThat(cache.get(7).id).isEqualTo(7);
    }
    assertThat(resolved.sum()).isEqualTo(10_000);
  }

  /** Ids as HotSpot's are: addresses, a few words apart. */
  private static long id(int number) {
    return 0x7f00_1234_5000L + number * 8L;
  }

  private interface Source extends MethodCache.Source<Named> {
    @Override
    default boolean isLive(Named method) {
      return true;
    }
  }

  private record Named(long id, long generation) {}
}
