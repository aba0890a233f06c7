package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.support.Child;
import io.jvmtools.support.OneJdkADay;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A closed environment is used again by others: none of them sees what it has tagged. */
@OneJdkADay
class TagsAfterCloseTest {

  /** More than are kept for others, so that whatever is kept is among them. */
  private static final int OTHERS = 40;

  @ParameterizedTest
  @EnumSource
  void areSeenByNobody(WayIn way) {
    way.of(Few.class).run().succeeds();
  }

  static final class Few {

    private static final int ROUNDS = 2;

    /** Objects, and different tags: few, as many as are remembered, one more, and too many. */
    private static final int[][] COUNTS = {
      {1, 1}, {10, 3}, {64, 64}, {65, 65}, {500, 500}, {4096, 2}, {4097, 2}
    };

    public static void main(String[] args) {
      for (int round = 0; round < ROUNDS; round++) {
        for (int[] count : COUNTS) {
          Object[] objects = Stream.generate(Object::new).limit(count[0]).toArray();
          try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS)) {
            for (int i = 0; i < objects.length; i++) {
              jvmti.objects().setTag(objects[i], tag(i, count[1]));
            }
            jvmti.objects().clearTag(objects[0]);
          }
          long[] tags = LongStream.range(0, count[1]).map(i -> tag((int) i, count[1])).toArray();
          assertNoneIsSeen(Arrays.asList(objects), tags);
        }
      }
    }

    /** Positive and negative ones. */
    private static long tag(int object, int tags) {
      long number = object % tags + 1;
      return number % 2 == 0 ? number : -number;
    }
  }

  @ParameterizedTest
  @EnumSource
  void norWhatWasTaggedWhileItWasClosed(WayIn way) {
    way.of(WhileClosed.class).run().succeeds();
  }

  static final class WhileClosed {

    private static final int THREADS = 4;
    private static final int ROUNDS = 60;

    public static void main(String[] args) throws Exception {
      ExecutorService pool = Child.newDaemonPool(THREADS);
      for (int round = 0; round < ROUNDS; round++) {
        Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS);
        CountDownLatch busy = new CountDownLatch(THREADS);
        List<Future<List<Object>>> ends = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          ends.add(pool.submit(() -> tagUntilClosed(jvmti, busy)));
        }
        busy.await();
        jvmti.close();
        List<Object> objects = new ArrayList<>();
        for (Future<List<Object>> end : ends) {
          objects.addAll(end.get());
        }
        assertNoneIsSeen(objects, 7);
      }
    }

    private static List<Object> tagUntilClosed(Jvmti jvmti, CountDownLatch busy) {
      List<Object> tagged = new ArrayList<>();
      try {
        while (true) {
          tagged.add(new Object());
          jvmti.objects().setTag(tagged.get(tagged.size() - 1), 7);
          busy.countDown();
        }
      } catch (IllegalStateException | MissingCapabilityException closed) {
        return tagged;
      }
    }
  }

  private static void assertNoneIsSeen(List<Object> objects, long... tags) {
    List<Jvmti> others = new ArrayList<>();
    for (int i = 0; i < OTHERS; i++) {
      others.add(Jvmti.open(CAN_TAG_OBJECTS));
    }
    for (Jvmti other : others) {
      assertThat(other.objects().withTags(tags)).isEmpty();
      assertThat(objects).allMatch(object -> other.objects().tag(object).isEmpty());
    }
    others.forEach(Jvmti::close);
  }
}
