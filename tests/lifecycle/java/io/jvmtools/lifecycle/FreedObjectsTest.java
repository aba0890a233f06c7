package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GENERATE_GARBAGE_COLLECTION_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_OBJECT_FREE_EVENTS;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.Subscription;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whoever listens to objects that are freed may stop at any time. HotSpot stands still for ever if
 * it is asked for that while it tells of them and a safepoint begins.
 */
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

    /**
     * Each round has tags of its own. What has died before its environment is closed, the next
     * owner may be told of, if the JVM comes to tell of it only then.
     */
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
      assertThat(told).allSatisfy(one -> assertThat(one).isBetween(1L, (long) round));
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
        jvmti.events().on(EventTypes.OBJECT_FREE, event -> told.add(event.tag()));
        jvmti.objects().setTag(new Object(), 2);
        while (!told.contains(2L)) {
          System.gc();
          jvmti.events().flush();
        }
      }
      assertThat(told).isSubsetOf(1L, 2L);
    }
  }
}
