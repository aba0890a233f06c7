package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GENERATE_GARBAGE_COLLECTION_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_OBJECT_FREE_EVENTS;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.Subscription;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.OneJdkADay;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whoever listens to objects that are freed may stop at any time. HotSpot stands still for ever if
 * it is asked for that while it tells of them and a safepoint begins.
 */
@OneJdkADay
class FreedObjectsTest {

  @ParameterizedTest
  @EnumSource
  void listenersComeAndGoWhileGarbageIsCollected(WayIn way) {
    way.of(ComeAndGo.class).run().succeeds();
  }

  static final class ComeAndGo {

    private static final int ROUNDS = 60;
    private static final int OBJECTS = 4_000;

    /** More different ones than an environment is rid of when it is closed. */
    private static final int MANY = 20_000;

    public static void main(String[] args) throws InterruptedException {
      Thread collects =
          new Thread(
              () -> {
                while (!Thread.interrupted()) {
                  System.gc();
                }
              });
      collects.start();
      for (int round = 1; round <= ROUNDS; round++) {
        listens(round, round % 20 == 0 ? MANY : 1);
      }
      collects.interrupt();
      collects.join();
      whoIsNextHearsOfHisOwnAlone();
    }

    /** Each round has tags of its own. */
    private static void listens(int round, int tags) {
      Set<Long> told = ConcurrentHashMap.newKeySet();
      try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS, CAN_GENERATE_OBJECT_FREE_EVENTS)) {
        Subscription one =
            jvmti.events().on(EventTypes.OBJECT_FREE, event -> told.add(event.tag() >>> 32));
        for (int i = 0; i < Math.max(OBJECTS, tags); i++) {
          jvmti.objects().setTag(new Object(), (long) round << 32 | i % tags + 1);
        }
        if (round % 2 == 0) {
          one.close();
          jvmti.events().on(EventTypes.OBJECT_FREE, event -> told.add(event.tag() >>> 32)).close();
        }
      }
      assertThat(told).isSubsetOf((long) round);
    }

    private static void whoIsNextHearsOfHisOwnAlone() {
      Queue<Long> told = new ConcurrentLinkedQueue<>();
      try (Jvmti jvmti =
              Jvmti.open(
                  CAN_TAG_OBJECTS,
                  CAN_GENERATE_OBJECT_FREE_EVENTS,
                  CAN_GENERATE_GARBAGE_COLLECTION_EVENTS);
          Subscription collected =
              jvmti.events().on(EventTypes.GARBAGE_COLLECTION_FINISH, event -> {})) {
        jvmti.objects().setTag(new Object(), 1);
        System.gc();
        jvmti.events().flush();
        assertThat(collected.counts().lost()).isZero();
        Subscription one =
            jvmti.events().on(EventTypes.OBJECT_FREE, event -> told.add(event.tag()));
        jvmti.objects().setTag(new Object(), 2);
        while (one.counts().delivered() == 0) {
          System.gc();
          jvmti.events().flush();
        }
      }
      assertThat(told).containsExactly(2L);
    }
  }

  /**
   * The JVM says of each of its environments that it looks for freed objects of, and that it will
   * post them.
   */
  @ParameterizedTest
  @EnumSource
  void whoHasListenedLeavesNoEnvironmentThatIsTold(WayIn way) {
    ChildResult result = way.of(Leave.class).jvmArgs("-Xlog:jvmti+table=info:stdout").run();
    List<? extends String> lines = result.succeeds().out().actual();
    List<? extends String> last =
        lines.subList(lines.indexOf(Leave.LAST), lines.indexOf(Leave.OVER));
    assertThat(last.stream().filter(line -> line.endsWith(" and posting")))
        .hasSizeBetween(1, Leave.ROUNDS / 2);
  }

  static final class Leave {

    private static final int ROUNDS = 40;
    private static final int COLLECTIONS = 5 * ROUNDS;

    /** More different ones than an environment is rid of when it is closed. */
    private static final int MANY = 100;

    private static final String LAST = "the last collection begins";
    private static final String OVER = "and all is told of it";

    public static void main(String[] args) throws InterruptedException {
      List<Object> kept = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS, CAN_GENERATE_OBJECT_FREE_EVENTS)) {
          jvmti.events().on(EventTypes.OBJECT_FREE, event -> {});
          tagMany(jvmti, kept);
        }
      }
      try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS, CAN_GENERATE_OBJECT_FREE_EVENTS)) {
        BlockingQueue<Long> told = new LinkedBlockingQueue<>();
        jvmti.events().on(EventTypes.OBJECT_FREE, event -> told.add(event.tag()));
        // Of those that are nobody's some are ended in each.
        for (long collection = 1; collection <= COLLECTIONS; collection++) {
          if (collection == COLLECTIONS) {
            System.out.println(LAST);
          }
          jvmti.objects().setTag(new Object(), collection);
          System.gc();
          assertThat(told.poll(1, TimeUnit.MINUTES)).isEqualTo(collection);
        }
        System.out.println(OVER);
      }
      assertThat(kept).hasSize(ROUNDS * MANY);
    }

    private static void tagMany(Jvmti jvmti, List<Object> kept) {
      for (int tag = 1; tag <= MANY; tag++) {
        Object object = new Object();
        kept.add(object);
        jvmti.objects().setTag(object, tag);
      }
    }
  }
}
