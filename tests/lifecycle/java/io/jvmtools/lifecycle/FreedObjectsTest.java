package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GENERATE_GARBAGE_COLLECTION_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_OBJECT_FREE_EVENTS;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.Subscription;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import io.jvmtools.support.OneJdkADay;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
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

    /** One after the other; each further one waits for a round, for on a busy machine few run. */
    private static final int COLLECTIONS = 200;

    /** More different ones than an environment is rid of when it is closed. */
    private static final int MANY = 20_000;

    public static void main(String[] args) throws InterruptedException {
      Semaphore collections = new Semaphore(COLLECTIONS);
      Thread collects =
          new Thread(
              () -> {
                while (isNext(collections)) {
                  System.gc();
                }
              });
      collects.start();
      for (int round = 1; round <= ROUNDS; round++) {
        listens(round, round % 20 == 0 ? MANY : 1);
        collections.release();
      }
      collects.interrupt();
      collects.join();
      whoIsNextHearsOfHisOwnAlone();
    }

    /** Waits for its turn, unless it is to end. */
    private static boolean isNext(Semaphore turns) {
      try {
        turns.acquire();
        return true;
      } catch (InterruptedException end) {
        return false;
      }
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

  @ParameterizedTest
  @EnumSource
  void whoHasListenedLeavesNoEnvironmentThatIsTold(WayIn way, @TempDir Path dir) {
    leave(way.of(Leave.class), dir).run().succeeds();
  }

  /** Such an agent is told of what others have tagged and is dead, in their stead. */
  @ParameterizedTest
  @EnumSource
  void norDoesHeBesideAnAgentThatGoesThroughTheHeap(WayIn way, @TempDir Path dir) {
    String walker = Installation.root().resolve("build/libwalker.so").toString();
    leave(way.of(Leave.class).jvmArgs("-agentpath:" + walker), dir).args(walker).run().succeeds();
  }

  @ParameterizedTest
  @EnumSource
  void whoListensWithoutPauseWaitsForThoseThatAreToBeToldNoMore(WayIn way) {
    way.of(WithoutPause.class).jvmArgs(NO_COLLECTION_BY_ITSELF).run().succeeds();
  }

  /** Each thread takes what it allocates in out of the young generation, in pieces. */
  private static final String[] NO_COLLECTION_BY_ITSELF = {
    "-Xmn256m", "-XX:MetaspaceSize=256m", "-XX:TLABSize=64k", "-XX:-ResizeTLAB"
  };

  /** None is told no more before a collection. */
  static final class WithoutPause {

    private static final int ENVIRONMENTS = 256;
    private static final Duration WAIT = Duration.ofMillis(100);

    public static void main(String[] args) throws InterruptedException {
      for (int i = 0; i < ENVIRONMENTS; i++) {
        beginToListen();
      }
      assertThat(beginToListen()).isGreaterThanOrEqualTo(WAIT);
      do {
        System.gc();
      } while (beginToListen().compareTo(WAIT) >= 0);
    }

    private static Duration beginToListen() {
      try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS, CAN_GENERATE_OBJECT_FREE_EVENTS)) {
        long before = System.nanoTime();
        jvmti.events().on(EventTypes.OBJECT_FREE, event -> {});
        return Duration.ofNanos(System.nanoTime() - before);
      }
    }
  }

  private static void collect(Jvmti jvmti, BlockingQueue<Long> told, long number)
      throws InterruptedException {
    jvmti.objects().setTag(new Object(), number);
    System.gc();
    assertThat(told.poll(1, TimeUnit.MINUTES)).isEqualTo(number);
  }

  private static ChildJvm leave(ChildJvm child, Path dir) {
    Path log = dir.resolve("log");
    return child
        .jvmArgs("-Xlog:jvmti+table=info:file=" + log + "::filecount=0")
        .args(log.toString());
  }

  /** Ends when what is left behind is told no more, which it is in the next collections. */
  static final class Leave {

    private static final int ROUNDS = 40;

    /** More different ones than an environment is rid of when it is closed. */
    private static final int MANY = 100;

    public static void main(String[] args) throws Exception {
      List<Object> kept = new ArrayList<>();
      for (int round = 0; round < ROUNDS; round++) {
        try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS, CAN_GENERATE_OBJECT_FREE_EVENTS)) {
          jvmti.events().on(EventTypes.OBJECT_FREE, event -> {});
          tagMany(jvmti, kept);
        }
      }
      if (args.length > 1) {
        walk(args[1]);
      }
      try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS, CAN_GENERATE_OBJECT_FREE_EVENTS);
          BufferedReader log = Files.newBufferedReader(Path.of(args[0]))) {
        BlockingQueue<Long> told = new LinkedBlockingQueue<>();
        jvmti.events().on(EventTypes.OBJECT_FREE, event -> told.add(event.tag()));
        long environments = ROUNDS;
        for (long collection = 1; environments > ROUNDS / 4; collection++) {
          collect(jvmti, told, collection);
          environments = told(log);
          assertThat(environments).as("this one is told").isPositive();
        }
      }
      assertThat(kept).hasSize(ROUNDS * MANY);
    }

    /** The agent is told of the library's own object in its stead. */
    private static void walk(String walker) {
      System.load(walker);
      tag(new Object());
      System.gc();
      goThroughTheHeap();
    }

    private static native void tag(Object object);

    private static native void goThroughTheHeap();

    private static void tagMany(Jvmti jvmti, List<Object> kept) {
      for (int tag = 1; tag <= MANY; tag++) {
        Object object = new Object();
        kept.add(object);
        jvmti.objects().setTag(object, tag);
      }
    }
  }

  /**
   * Of how many environments the JVM has said since that it looks for freed objects and will post
   * them.
   */
  private static long told(BufferedReader log) throws IOException {
    long told = 0;
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      told += line.endsWith(" and posting") ? 1 : 0;
    }
    return told;
  }
}
