package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_OBJECT_FREE_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS;
import static io.jvmtools.Capability.CAN_SIGNAL_THREAD;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static io.jvmtools.event.EventTypes.CLASS_PREPARE;
import static io.jvmtools.event.EventTypes.DYNAMIC_CODE_GENERATED;
import static io.jvmtools.event.EventTypes.OBJECT_FREE;
import static io.jvmtools.event.EventTypes.SAMPLED_OBJECT_ALLOC;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.event.DynamicCodeGeneratedEvent;
import io.jvmtools.event.Subscription;
import io.jvmtools.snapshot.SnapshotPoint;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Installation;
import io.jvmtools.thread.Threads;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.security.Permission;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * JDK 21 writes into memory that it has freed once a thread has ended that attached itself
 * (JDK-8319935). So there the library's own do not end, and do what comes next.
 */
class KeptThreadsTest {

  private static final int ENVIRONMENTS = 300;

  private static final String KEEPS = "io.jvmtools.support.Installation#keepsThreads";

  @ParameterizedTest
  @EnumSource
  void threadsThatTellOfManyEnvironmentsHarmNobodyWhileAllocationsAreSampled(WayIn way) {
    way.of(Sampling.class).run().succeeds();
  }

  @ParameterizedTest
  @EnumSource
  void nothingOfAListenerStaysWithThem(WayIn way) {
    way.of(Leaving.class).run().succeeds();
  }

  @ParameterizedTest
  @EnumSource
  void whileTheyAreSuspendedOthersDoWhatComesNext(WayIn way) {
    way.of(Suspended.class).run().succeeds();
  }

  static final class Suspended {

    private static final Duration LONG = Duration.ofMinutes(1);

    public static void main(String[] args) {
      AtomicLong told = new AtomicLong();
      tell(told);
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        for (int i = 0; i < 3; i++) {
          jvmti.threads().withOthersSuspended(LONG, () -> tell(told));
        }
        tell(told);
      }
      assertThat(told.get()).isGreaterThanOrEqualTo(5);
    }

    private static Void tell(AtomicLong told) {
      KeptThreadsTest.tell(event -> told.incrementAndGet());
      return null;
    }
  }

  @ParameterizedTest
  @EnumSource
  @EnabledIf(value = KEEPS, disabledReason = "elsewhere they have ended by then")
  void whileAllOthersAreSuspendedTheyDoWhatComesNext(WayIn way) {
    way.of(LeftOut.class).run().succeeds();
  }

  static final class LeftOut {

    private static final int ROUNDS = 40;

    public static void main(String[] args) {
      AtomicLong told = new AtomicLong();
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        for (int i = 0; i < ROUNDS; i++) {
          jvmti.threads().withOthersSuspended(Suspended.LONG, () -> Suspended.tell(told));
        }
      }
      assertThat(told.get()).isGreaterThanOrEqualTo(ROUNDS);
      assertThat(tellers()).as("none more for each time").hasSizeLessThan(ROUNDS / 2);
    }
  }

  @ParameterizedTest
  @EnumSource
  @EnabledIf(value = KEEPS, disabledReason = "elsewhere they have ended by then")
  void whatIsThrownAtThemWhileTheyWaitDoesNotHinderThem(WayIn way) {
    way.of(Thrown.class).run().succeeds();
  }

  static final class Thrown {

    private static final int ROUNDS = 20;

    public static void main(String[] args) {
      AtomicLong told = new AtomicLong();
      Queue<Thread> interrupted = new ConcurrentLinkedQueue<>();
      tell(event -> told.incrementAndGet());
      try (Jvmti jvmti = Jvmti.open(CAN_SIGNAL_THREAD)) {
        for (int i = 0; i < ROUNDS; i++) {
          for (Thread waits : tellers()) {
            waits.interrupt();
            jvmti.threads().stop(waits, new IllegalStateException("thrown at it"));
          }
          long before = told.get();
          tell(
              event -> {
                if (Thread.interrupted()) {
                  interrupted.add(Thread.currentThread());
                }
                told.incrementAndGet();
              });
          assertThat(told.get()).isGreaterThan(before);
        }
      }
      assertThat(interrupted).isEmpty();
      assertThat(tellers()).as("they go on").hasSizeLessThan(ROUNDS / 2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsThrownAtThemBeforeTheFirstEventReachesNoListener(WayIn way) {
    way.of(Early.class).run().succeeds();
  }

  static final class Early {

    private static final int ROUNDS = 20;

    private final Queue<Boolean> interrupted = new ConcurrentLinkedQueue<>();

    public static void main(String[] args) {
      Early early = new Early();
      try (Jvmti jvmti = Jvmti.open(CAN_SIGNAL_THREAD)) {
        for (int told = 1; told <= ROUNDS; told++) {
          early.tell(jvmti.threads());
          assertThat(early.interrupted).hasSize(told).doesNotContain(true);
        }
      }
    }

    /** Of what nothing tells by itself. */
    private void tell(Threads threads) {
      try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS, CAN_GENERATE_OBJECT_FREE_EVENTS);
          Subscription freed =
              jvmti.events().on(OBJECT_FREE, event -> interrupted.add(Thread.interrupted()))) {
        disturb(jvmti, threads);
        Eventually.isTrue(
            "it is told, or lost",
            () -> {
              System.gc();
              jvmti.events().flush();
              return freed.counts().delivered() + freed.counts().lost() > 0;
            });
      }
    }

    private static void disturb(Jvmti jvmti, Threads threads) {
      Object tagged = new Object();
      jvmti.objects().setTag(tagged, 1);
      for (Thread waits : tellers()) {
        waits.interrupt();
        try {
          threads.stop(waits, new IllegalStateException("thrown at it"));
        } catch (ThreadNotAliveException ofTheRoundBefore) {
          // Where it ends.
        }
      }
      Reference.reachabilityFence(tagged);
    }
  }

  @Test
  void whatInterruptsThoseWhoHandOverReachesNoHandler() {
    ChildJvm.of(Interrupted.class).agent("prepare=debugging").run().succeeds();
  }

  static final class Interrupted {

    private static final int ROUNDS = 20;

    static void isPassed() {}

    public static void main(String[] args) {
      Queue<Boolean> interrupted = new ConcurrentLinkedQueue<>();
      int waiting = 0;
      for (int handedOver = 1; handedOver <= ROUNDS; handedOver++) {
        try (Jvmti jvmti = Jvmti.open(CAN_ACCESS_LOCAL_VARIABLES, CAN_GENERATE_BREAKPOINT_EVENTS);
            SnapshotPoint point =
                jvmti
                    .snapshots()
                    .at(Interrupted.class.getName(), "isPassed")
                    .forEach(snapshot -> interrupted.add(Thread.interrupted()))) {
          List<Thread> threads = named("jvmtools-snapshots");
          threads.forEach(Thread::interrupt);
          waiting += threads.size();
          isPassed();
          point.flush();
        }
        assertThat(interrupted).hasSize(handedOver).doesNotContain(true);
      }
      // Elsewhere they may have ended each time.
      assertThat(waiting > 0 || !Installation.keepsThreads()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  @EnabledIf(value = KEEPS, disabledReason = "elsewhere they have ended by then")
  void scopesThatAListenerLeavesOpenDoNotStay(WayIn way) {
    way.of(Scoping.class).jvmArgs("--add-opens=java.base/java.lang=ALL-UNNAMED").run().succeeds();
  }

  static final class Scoping {

    private static final Queue<Boolean> FOUND = new ConcurrentLinkedQueue<>();
    private static final Queue<Boolean> LEFT = new ConcurrentLinkedQueue<>();

    public static void main(String[] args) {
      for (int i = 1; i <= 3; i++) {
        AtomicBoolean isLeft = new AtomicBoolean();
        tell(event -> leaveOne(isLeft));
        assertThat(FOUND).hasSize(i).doesNotContain(true);
        assertThat(LEFT).hasSize(i).doesNotContain(false);
      }
    }

    private static void leaveOne(AtomicBoolean isLeft) {
      if (isLeft.getAndSet(true)) {
        return;
      }
      try {
        FOUND.add(hasScopes());
        Class.forName("java.util.concurrent.StructuredTaskScope").getConstructor().newInstance();
        LEFT.add(hasScopes());
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    private static boolean hasScopes() throws ReflectiveOperationException {
      Field scopes = Thread.class.getDeclaredField("headStackableScopes");
      scopes.setAccessible(true);
      return scopes.get(Thread.currentThread()) != null;
    }
  }

  @ParameterizedTest
  @EnumSource
  @EnabledIf(value = KEEPS, disabledReason = "elsewhere they have ended by then")
  void nobodyIsAskedWhetherTheyMayBeCalledAsTheyAre(WayIn way) {
    way.of(Asked.class).jvmArgs("-Djava.security.manager=allow").run().succeeds();
  }

  @SuppressWarnings("removal")
  static final class Asked extends SecurityManager {

    private static final Queue<Thread> ASKED = new ConcurrentLinkedQueue<>();
    private static final Queue<Thread> ASKED_BY_THE_LISTENER = new ConcurrentLinkedQueue<>();

    private static volatile boolean isRenaming;

    @Override
    public void checkPermission(Permission permission) {}

    @Override
    public void checkAccess(Thread thread) {
      (isRenaming ? ASKED_BY_THE_LISTENER : ASKED).add(thread);
    }

    public static void main(String[] args) {
      tell(event -> {});
      System.setSecurityManager(new Asked());
      for (int i = 0; i < 3; i++) {
        tell(event -> rename());
      }
      assertThat(ASKED_BY_THE_LISTENER).isNotEmpty();
      assertThat(ASKED).isEmpty();
    }

    private static void rename() {
      isRenaming = true;
      Thread.currentThread().setName("renamed");
      Thread.currentThread().setPriority(Thread.MIN_PRIORITY);
      isRenaming = false;
    }
  }

  static final class Sampling {

    public static void main(String[] args) {
      AtomicLong told = new AtomicLong();
      for (int i = 0; i < ENVIRONMENTS; i++) {
        try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS)) {
          try (var sampled = jvmti.events().on(SAMPLED_OBJECT_ALLOC, event -> {})) {
            jvmti.events().on(DYNAMIC_CODE_GENERATED, event -> told.incrementAndGet());
            jvmti.events().generate(DYNAMIC_CODE_GENERATED);
            jvmti.events().flush();
            assertThat(sampled.counts().failed()).isZero();
          }
          // All threads are given what the JVM keeps for those who may be told of it.
          jvmti.events().on(CLASS_PREPARE, event -> {});
        }
      }
      assertThat(told.get()).as("each was told").isGreaterThanOrEqualTo(ENVIRONMENTS);
      assertThat(tellers()).as("they do what comes next").hasSizeLessThan(ENVIRONMENTS / 5);
    }
  }

  @Test
  @EnabledIf(value = KEEPS, disabledReason = "elsewhere each of them ends")
  void whoTellsDisposesAndHandsOverDoesWhatComesNext() {
    ChildJvm.of(Staying.class).agent("prepare=debugging").run().succeeds();
  }

  static final class Staying {

    /** More than an environment is rid of on the spot. */
    private static final int TAGS = 5_000;

    static void isPassed() {}

    public static void main(String[] args) {
      AtomicLong done = new AtomicLong();
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      Eventually.isTrue(
          "work that starts no thread",
          () -> {
            long before = threads.getTotalStartedThreadCount();
            long doneBefore = done.get();
            work(done);
            assertThat(done.get()).isGreaterThanOrEqualTo(doneBefore + 2);
            return threads.getTotalStartedThreadCount() == before;
          });
      assertThat(Thread.getAllStackTraces().keySet())
          .extracting(Thread::getName)
          .contains("jvmtools-events", "jvmtools-disposal", "jvmtools-snapshots");
    }

    private static void work(AtomicLong done) {
      tell(event -> done.incrementAndGet());
      try (Jvmti jvmti =
          Jvmti.open(CAN_TAG_OBJECTS, CAN_ACCESS_LOCAL_VARIABLES, CAN_GENERATE_BREAKPOINT_EVENTS)) {
        try (SnapshotPoint point =
            jvmti
                .snapshots()
                .at(Staying.class.getName(), "isPassed")
                .forEach(snapshot -> done.incrementAndGet())) {
          isPassed();
          point.flush();
        }
        List<Object> tagged = Stream.generate(Object::new).limit(TAGS).toList();
        for (int i = 0; i < TAGS; i++) {
          jvmti.objects().setTag(tagged.get(i), i + 1);
        }
      }
    }
  }

  static final class Leaving {

    private static final ThreadLocal<Object> LOCAL = new ThreadLocal<>();
    private static final InheritableThreadLocal<Object> INHERITED = new InheritableThreadLocal<>();

    private static final Jvmti STAYS = Jvmti.open();

    private static final List<List<Object>> FOUND = new CopyOnWriteArrayList<>();

    public static void main(String[] args) {
      GcUntil.cleared(leave());
      // Those of the library that wait are in this group, too.
      Thread.currentThread().getThreadGroup().interrupt();
      assertThat(Thread.interrupted()).isTrue();
      GcUntil.cleared(leave());
      assertThat(FOUND.get(1))
          .isEqualTo(FOUND.get(0))
          .startsWith(null, null, false, "jvmtools-events", Thread.NORM_PRIORITY);
    }

    private static WeakReference<Loader> leave() {
      Loader loader = new Loader();
      WeakReference<Loader> left = new WeakReference<>(loader);
      tell(event -> leave(left.get()));
      assertThat(loader.isLeft).isTrue();
      return left;
    }

    private static void leave(Loader loader) {
      Thread thread = Thread.currentThread();
      if (!loader.isLeft) {
        FOUND.add(
            Arrays.asList(
                LOCAL.get(),
                INHERITED.get(),
                Thread.interrupted(),
                thread.getName(),
                thread.getPriority(),
                thread.getContextClassLoader(),
                STAYS.threads().localStorage(thread)));
      }
      LOCAL.set(loader);
      INHERITED.set(loader);
      thread.setContextClassLoader(loader);
      thread.setUncaughtExceptionHandler(loader);
      LockSupport.setCurrentBlocker(loader);
      thread.setName("renamed");
      thread.setPriority(Thread.MIN_PRIORITY);
      STAYS.threads().setLocalStorage(thread, 1);
      thread.interrupt();
      loader.isLeft = true;
    }
  }

  /** To a listener of an environment that comes and goes. */
  private static void tell(Consumer<DynamicCodeGeneratedEvent> listener) {
    try (Jvmti jvmti = Jvmti.open()) {
      jvmti.events().on(DYNAMIC_CODE_GENERATED, listener::accept);
      jvmti.events().generate(DYNAMIC_CODE_GENERATED);
      jvmti.events().flush();
    }
  }

  private static List<Thread> tellers() {
    return named("jvmtools-events");
  }

  private static List<Thread> named(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .toList();
  }

  /** Of an application that is taken down. */
  static final class Loader extends ClassLoader implements Thread.UncaughtExceptionHandler {

    private volatile boolean isLeft;

    @Override
    public void uncaughtException(Thread thread, Throwable thrown) {}
  }
}
