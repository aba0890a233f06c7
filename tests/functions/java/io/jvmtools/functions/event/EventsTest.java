package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_GENERATE_MONITOR_EVENTS;
import static io.jvmtools.event.EventTypes.CLASS_PREPARE;
import static io.jvmtools.event.EventTypes.MONITOR_CONTENDED_ENTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.event.EventCounts;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.Events;
import io.jvmtools.event.MonitorContendedEnterEvent;
import io.jvmtools.event.SampledObjectAllocEvent;
import io.jvmtools.event.Subscription;
import io.jvmtools.support.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What holds for listeners of every kind, with the one kind that needs nothing but threads. */
class EventsTest {

  /** Nobody else wants its monitor. */
  private static final class Lock {}

  private static final EventFilter OURS = EventFilter.ANY.classes(Lock.class);

  private final Lock lock = new Lock();
  private final Jvmti jvmti = Jvmti.open(CAN_GENERATE_MONITOR_EVENTS);
  private final Events events = jvmti.events();
  private final List<MonitorContendedEnterEvent> told = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    jvmti.close();
  }

  @Test
  void whoWantsAMonitorThatAnotherHasIsToldOnItsOwnThread() throws InterruptedException {
    AtomicReference<Thread> listening = new AtomicReference<>();
    try (Subscription one =
        events.on(
            MONITOR_CONTENDED_ENTER,
            OURS,
            event -> {
              listening.set(Thread.currentThread());
              told.add(event);
            })) {
      Thread wants = Contended.once(lock);
      assertThat(told).containsExactly(new MonitorContendedEnterEvent(wants, lock));
      assertThat(listening).hasValue(wants);
      assertThat(one.type()).isSameAs(MONITOR_CONTENDED_ENTER);
      assertThat(one.counts().delivered()).isEqualTo(1);
    }
  }

  @Test
  void afterClosingNobodyIsTold() throws InterruptedException {
    Subscription one = events.on(MONITOR_CONTENDED_ENTER, OURS, told::add);
    Contended.once(lock);
    one.close();
    one.close();
    Contended.once(lock);
    assertThat(told).hasSize(1);
    assertThat(one.counts()).isEqualTo(new EventCounts(1, 0, one.counts().filtered(), 0, 0));
  }

  @Test
  void whoComesLaterIsToldTooAndWhoGoesTakesNothingFromOthers() throws InterruptedException {
    List<Object> second = new CopyOnWriteArrayList<>();
    Subscription one = events.on(MONITOR_CONTENDED_ENTER, OURS, told::add);
    try (Subscription other = events.on(MONITOR_CONTENDED_ENTER, OURS, second::add)) {
      Contended.once(lock);
      one.close();
      Contended.once(lock);
      assertThat(told).hasSize(1);
      assertThat(second).hasSize(2);
      assertThat(other.counts().delivered()).isEqualTo(2);
    }
  }

  @Test
  void whatAListenerThrowsIsItsOwn() throws InterruptedException {
    IllegalStateException thrown = new IllegalStateException("of a listener");
    List<Throwable> reported = new CopyOnWriteArrayList<>();
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    try (Subscription one = events.on(MONITOR_CONTENDED_ENTER, OURS, event -> fail(thrown))) {
      Contended.once(lock);
      one.onError(
          error -> {
            reported.add(error);
            fail(thrown);
          });
      Thread wants = Contended.wanting(lock);
      wants.setUncaughtExceptionHandler((thread, error) -> uncaught.add(error));
      Contended.waitFor(wants, lock);
      assertThat(reported).containsExactly(thrown);
      assertThat(uncaught).isEmpty();
      assertThat(one.counts()).extracting(EventCounts::delivered).isEqualTo(2L);
      assertThat(one.counts()).extracting(EventCounts::failed).isEqualTo(2L);
    }
  }

  private static void fail(RuntimeException thrown) {
    throw thrown;
  }

  @Test
  void whatIsAskedForOfOneThreadIsNotToldOfOthers() throws InterruptedException {
    Thread mine = Contended.wanting(lock);
    CountDownLatch go = new CountDownLatch(1);
    Thread waits =
        new Thread(
            () -> {
              awaitAll(go);
              mine.run();
            },
            "one of two");
    waits.start();
    try (Subscription one = events.on(MONITOR_CONTENDED_ENTER, OURS.threads(waits), told::add)) {
      Contended.once(lock);
      assertThat(one.counts().filtered()).as("the JVM itself tells of one thread").isZero();
      synchronized (lock) {
        go.countDown();
        Eventually.isTrue("it is blocked", () -> Contended.isBlocked(waits));
      }
      waits.join();
      assertThat(told).containsExactly(new MonitorContendedEnterEvent(waits, lock));
    }
  }

  /** The JVM goes through all threads for each that it is asked for. */
  @Test
  void ofManyThreadsTheJvmTellsOfAllAndOthersAreFiltered() throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      all.add(new Thread(() -> awaitAll(go)));
    }
    Thread wants = Contended.wanting(lock);
    all.add(
        new Thread(
            () -> {
              awaitAll(go);
              wants.run();
            }));
    all.forEach(Thread::start);
    Thread waits = all.get(100);
    try (Subscription one = events.on(MONITOR_CONTENDED_ENTER, OURS.threads(all), told::add)) {
      Contended.once(lock);
      assertThat(one.counts().filtered()).isPositive();
      synchronized (lock) {
        go.countDown();
        Eventually.isTrue("it is blocked", () -> Contended.isBlocked(waits));
      }
      for (Thread thread : all) {
        thread.join();
      }
      assertThat(told).containsExactly(new MonitorContendedEnterEvent(waits, lock));
    }
    Contended.once(lock);
    assertThat(told).hasSize(1);
  }

  @Test
  void aThreadThatOneAsksForStaysToldForWhoElseAsksForIt() throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    Thread waits =
        new Thread(
            () -> {
              awaitAll(go);
              Contended.wanting(lock).run();
            });
    waits.start();
    Subscription one = events.on(MONITOR_CONTENDED_ENTER, OURS.threads(waits), told::add);
    try (Subscription other = events.on(MONITOR_CONTENDED_ENTER, OURS.threads(waits), told::add)) {
      one.close();
      synchronized (lock) {
        go.countDown();
        Eventually.isTrue("it is blocked", () -> Contended.isBlocked(waits));
      }
      waits.join();
      assertThat(told).hasSize(1);
      assertThat(other.counts().delivered()).isEqualTo(1);
    }
  }

  @Test
  void namesOfClassesMayHaveStars() throws InterruptedException {
    String name = Lock.class.getName();
    EventFilter matching = EventFilter.ANY.classes(name.substring(0, 12) + "*$Lock");
    try (Subscription one = events.on(MONITOR_CONTENDED_ENTER, matching, told::add);
        Subscription other =
            events.on(MONITOR_CONTENDED_ENTER, EventFilter.ANY.classes("no.*"), told::add)) {
      Contended.once(lock);
      assertThat(told).hasSize(1);
      assertThat(one.counts().delivered()).isEqualTo(1);
      assertThat(other.counts().delivered()).isZero();
      assertThat(other.counts().filtered()).isPositive();
    }
  }

  @Test
  void noMoreThanARateAreTold() throws InterruptedException {
    try (Subscription none = events.on(MONITOR_CONTENDED_ENTER, OURS.perSecond(0), told::add)) {
      Contended.once(lock);
      assertThat(told).isEmpty();
      assertThat(none.counts().filtered()).isPositive();
    }
  }

  @Test
  void aListenerMayCallWhateverItLikes() throws InterruptedException {
    AtomicReference<Object> seen = new AtomicReference<>();
    try (Subscription one =
        events.on(
            MONITOR_CONTENDED_ENTER,
            OURS,
            event -> {
              Subscription nested = events.on(CLASS_PREPARE, prepared -> {});
              nested.close();
              seen.set(JvmTools.getStackTrace(event.thread()));
            })) {
      Contended.once(lock);
      assertThat(one.counts().failed()).isZero();
      assertThat(seen.get().toString()).contains("take");
    }
  }

  @Test
  void ofWhatAListenerDoesNobodyIsTold() throws InterruptedException {
    Lock inner = new Lock();
    CountDownLatch has = new CountDownLatch(1);
    AtomicReference<Thread> listening = new AtomicReference<>();
    Thread keeper =
        new Thread(
            () -> {
              synchronized (inner) {
                has.countDown();
                // In the listener it is blocked already, for the monitor of which it is told.
                Eventually.isTrue("the listener wants it", () -> isWanted(inner, listening.get()));
              }
            });
    keeper.start();
    has.await();
    try (Subscription one =
            events.on(
                MONITOR_CONTENDED_ENTER,
                OURS,
                event -> {
                  told.add(event);
                  listening.set(event.thread());
                  synchronized (inner) {
                    inner.hashCode();
                  }
                });
        Subscription other = events.on(MONITOR_CONTENDED_ENTER, OURS.perSecond(1), event -> {})) {
      Contended.once(lock);
      keeper.join();
      assertThat(other.counts().suppressed()).isEqualTo(1);
      assertThat(other.counts().delivered()).as("what is suppressed has no rate").isEqualTo(1);
      assertThat(told).extracting(MonitorContendedEnterEvent::object).containsExactly(lock);
      assertThat(one.counts().suppressed()).isEqualTo(1);
    }
  }

  private static boolean isWanted(Object monitor, Thread thread) {
    return thread != null && JvmTools.getObjectMonitorUsage(monitor).waiters().contains(thread);
  }

  @Test
  void whatAListenerParksByTheApplicationHasAgain() throws InterruptedException {
    try (Subscription one = events.on(MONITOR_CONTENDED_ENTER, OURS, event -> LockSupport.park())) {
      Thread wants =
          new Thread(
              () -> {
                LockSupport.unpark(Thread.currentThread());
                Contended.wanting(lock).run();
                LockSupport.park();
              });
      synchronized (lock) {
        wants.start();
        Eventually.isTrue("it is blocked", () -> Contended.isBlocked(wants));
      }
      Eventually.isTrue("it goes on", () -> !wants.isAlive());
      assertThat(one.counts().delivered()).isEqualTo(1);
    }
  }

  @Test
  void itMayBeClosedFromWithin() throws InterruptedException {
    AtomicReference<Subscription> one = new AtomicReference<>();
    one.set(
        events.on(
            MONITOR_CONTENDED_ENTER,
            OURS,
            event -> {
              told.add(event);
              one.get().close();
              fail(new IllegalStateException("after closing"));
            }));
    Contended.once(lock);
    Contended.once(lock);
    assertThat(told).hasSize(1);
    assertThat(one.get().counts().delivered()).isEqualTo(1);
    assertThat(one.get().counts().failed()).isEqualTo(1);
  }

  @Test
  void theEnvironmentMayBeClosedFromWithin() throws InterruptedException {
    Subscription one =
        events.on(
            MONITOR_CONTENDED_ENTER,
            OURS,
            event -> {
              told.add(event);
              jvmti.close();
            });
    Contended.once(lock);
    Contended.once(lock);
    assertThat(told).hasSize(1);
    assertThatIllegalStateException().isThrownBy(one::counts);
    one.close();
    assertThat(one.counts().failed()).isZero();
    assertThat(one.counts().delivered()).isEqualTo(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> events.on(MONITOR_CONTENDED_ENTER, told::add));
  }

  @Test
  void closingDoesNotWaitForAListenerThatStandsStill() throws InterruptedException {
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    Subscription one =
        events.on(
            MONITOR_CONTENDED_ENTER,
            OURS,
            event -> {
              begun.incrementAndGet();
              awaitAll(goOn);
            });
    Thread wants = Contended.wanting(lock);
    synchronized (lock) {
      wants.start();
      Eventually.isTrue("it listens", () -> begun.get() == 1);
      one.close();
      jvmti.close();
    }
    goOn.countDown();
    wants.join();
    Contended.once(lock);
    assertThat(begun).hasValue(1);
  }

  @Test
  void subscriptionsComeAndGoInAStorm() throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    List<Thread> storm = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread =
          new Thread(
              () -> {
                while (done.getCount() > 0) {
                  synchronized (lock) {
                    lock.hashCode();
                  }
                }
              });
      thread.start();
      storm.add(thread);
    }
    try {
      for (int i = 0; i < 200; i++) {
        AtomicInteger count = new AtomicInteger();
        Subscription one =
            events.on(MONITOR_CONTENDED_ENTER, OURS, event -> count.incrementAndGet());
        Eventually.isTrue("it is told", () -> count.get() > 0);
        one.close();
        assertThat(one.counts().lost()).isZero();
        assertThat(one.counts().failed()).isZero();
      }
    } finally {
      done.countDown();
      for (Thread thread : storm) {
        thread.join();
      }
    }
  }

  @Test
  void withoutItsCapabilityNothingIsTold() {
    try (Jvmti without = Jvmti.open()) {
      assertThatThrownBy(() -> without.events().on(MONITOR_CONTENDED_ENTER, told::add))
          .isInstanceOf(MissingCapabilityException.class)
          .hasMessageContaining("SetEventNotificationMode")
          .hasMessageContaining("CAN_GENERATE_MONITOR_EVENTS");
    }
  }

  @Test
  void aThreadThatIsNotAliveCannotBeAskedFor() throws InterruptedException {
    Thread unstarted = Contended.wanting(lock);
    EventFilter filter = OURS.threads(Thread.currentThread(), unstarted);
    assertThatThrownBy(() -> events.on(MONITOR_CONTENDED_ENTER, filter, told::add))
        .isInstanceOf(ThreadNotAliveException.class);
    Contended.once(lock);
    assertThat(told).isEmpty();
  }

  @Test
  void norCanOneAmongMany() throws InterruptedException {
    List<Thread> many = Stream.generate(() -> Contended.wanting(lock)).limit(100).toList();
    assertThatThrownBy(() -> events.on(MONITOR_CONTENDED_ENTER, OURS.threads(many), told::add))
        .isInstanceOf(ThreadNotAliveException.class);
    Contended.once(lock);
    assertThat(told).isEmpty();
  }

  @Test
  void aFilterForWhatEventsDoNotHaveIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> events.on(MONITOR_CONTENDED_ENTER, EventFilter.ANY.minSize(1), told::add))
        .withMessageContaining("MonitorContendedEnter has no size");
  }

  private static void awaitAll(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** It may wait for the monitor that the event is about, or not be constructed yet. */
  @Test
  void theTextOfAnEventAsksNothingOfTheApplicationsObjects() {
    Object silent =
        new Object() {
          @Override
          public String toString() {
            throw new IllegalStateException("nobody is to ask");
          }
        };
    Thread thread = Thread.currentThread();
    String identity = "@" + Integer.toHexString(System.identityHashCode(silent));
    assertThat(new MonitorContendedEnterEvent(thread, silent).toString()).contains(identity);
    assertThat(new SampledObjectAllocEvent(thread, silent, silent.getClass(), 16).toString())
        .contains(identity);
  }
}
