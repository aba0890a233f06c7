package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.RedefinitionException;
import io.jvmtools.StalledException;
import io.jvmtools.code.Breakpoint;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventFrame;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.Changeable;
import io.jvmtools.functions.Changeable.Variant;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.internal.code.Redefinitions;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.Eventually;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What several do at one place at the same moment, or while something is in the way. */
@OnlyUnderTheAgent
class PlacesAtOnceTest {

  private static final int ROUNDS = 50;

  /** How often each comes by in a round, while others end. */
  private static final int TIMES = 10;

  private static final CodePlace PASS =
      CodePlace.entry(PlacesAtOnceTest.class.getName() + "$Passed", "pass");

  private static Jvmti open() {
    return Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_ACCESS_LOCAL_VARIABLES);
  }

  /** Who comes by once for each listener. */
  private static final class Passed {
    static int pass(int number) {
      return number;
    }
  }

  @Test
  void whoBeginsWhileOthersEndIsToldFromThenOn() throws Exception {
    try (Jvmti jvmti = open()) {
      AtOnce.run(
          3,
          number -> {
            for (int i = 0; i < ROUNDS; i++) {
              AtomicInteger told = new AtomicInteger();
              try (PlaceSubscription here =
                  jvmti.events().at(PASS, frame -> count(frame, number, told))) {
                for (int j = 0; j < TIMES; j++) {
                  assertThat(Passed.pass(number)).isEqualTo(number);
                }
                assertThat(told).as("in round %d", i).hasValue(TIMES);
                assertThat(here.breakpoints()).hasSize(1);
              }
              Passed.pass(number);
              assertThat(told).hasValue(TIMES);
            }
          });
      assertThat(jvmti.breakpoints().all()).isEmpty();
    }
  }

  private static void count(EventFrame frame, int number, AtomicInteger told) {
    if (frame.local("number", int.class) == number) {
      told.incrementAndGet();
    }
  }

  /** A class that a thread is about to change until it is let go, and does not change after all. */
  private static final class Slow implements AutoCloseable {

    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final Class<?> type = Changeable.type(this::isAsked);
    private final Object object = Changeable.make(type);
    private final Thread thread = new Thread(this::change);

    private void isAsked(String name) {
      if (name.equals("Slow")) {
        inside.countDown();
        await(over);
      }
    }

    private void change() {
      assertThatThrownBy(() -> JvmTools.redefineClass(type, Changeable.naming("Slow")))
          .isInstanceOf(RedefinitionException.class);
    }

    void begin() {
      thread.start();
      await(inside);
    }

    /** Those in the class: other loaders may have one of its name. */
    List<Breakpoint> of(List<Breakpoint> all) {
      return all.stream()
          .filter(one -> one.method().declaringClass().orElse(null) == type)
          .toList();
    }

    @Override
    public void close() {
      over.countDown();
      join(thread);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static PlaceSubscription atAnswer(Jvmti jvmti, AtomicInteger told) {
    CodePlace place = CodePlace.entry(Changeable.NAME, "answer");
    return jvmti.events().at(place, frame -> told.incrementAndGet());
  }

  @Test
  void whatIsInTheWayOfClosingKeepsTheBreakpointOnlyForThatTime() {
    AtomicInteger told = new AtomicInteger();
    Slow slow = new Slow();
    try (Jvmti jvmti = open();
        slow) {
      PlaceSubscription here = atAnswer(jvmti, told);
      Changeable.answer(slow.object);
      assertThat(told).hasValue(1);
      slow.begin();
      assertThatThrownBy(here::close)
          .isInstanceOf(StalledException.class)
          .hasMessageContaining("changing one of these classes");
      Changeable.answer(slow.object);
      assertThat(told).hasValue(1);
      assertThat(slow.of(jvmti.breakpoints().all())).hasSize(1);
      slow.close();
      Eventually.isTrue("it is cleared", () -> jvmti.breakpoints().all().isEmpty());
      assertThat(here.breakpoints()).isEmpty();
    }
  }

  /** Who waits in vain does so for five seconds. */
  private static void waitsOnce(Runnable deed) {
    long begin = System.nanoTime();
    deed.run();
    Duration took = Duration.ofNanos(System.nanoTime() - begin);
    assertThat(took).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(9));
  }

  @Test
  void whatIsInTheWayOfClosingIsWaitedForOnceHoweverManyBreakpointsThereAre() {
    Slow slow = new Slow();
    try (Jvmti jvmti = open();
        slow) {
      CodePlace both = CodePlace.line(Changeable.NAME, 10);
      PlaceSubscription here = jvmti.events().at(both, frame -> {});
      assertThat(slow.of(here.breakpoints())).hasSize(2);
      slow.begin();
      waitsOnce(() -> assertThatThrownBy(here::close).isInstanceOf(StalledException.class));
      slow.close();
      Eventually.isTrue("they are cleared", () -> jvmti.breakpoints().all().isEmpty());
    }
  }

  @Test
  void whoRedefinesAClassWaitsOnceHoweverManyPlacesAreInIt() {
    AtomicInteger told = new AtomicInteger();
    Slow slow = new Slow();
    Consumer<Set<Class<?>>> first =
        types -> {
          if (types.contains(slow.type)) {
            slow.begin();
          }
        };
    try (Jvmti jvmti = open();
        slow) {
      Redefinitions.listen(first);
      PlaceSubscription here = atAnswer(jvmti, told);
      PlaceSubscription too = atAnswer(jvmti, told);
      waitsOnce(() -> JvmTools.redefineClass(slow.type, Variant.SAME.file()));
      slow.close();
      Changeable.answer(slow.object);
      assertThat(told).hasValue(2);
      here.close();
      too.close();
      assertThat(jvmti.breakpoints().all()).isEmpty();
    } finally {
      Reference.reachabilityFence(first);
    }
  }

  private static boolean isWaiting(Thread thread) {
    return thread.getState() == Thread.State.TIMED_WAITING || !thread.isAlive();
  }

  /** The breakpoint is about to be cleared, and cleared it will be. */
  @Test
  void whoBeginsWhileTheLastEndsIsTold() {
    AtomicInteger told = new AtomicInteger();
    Slow slow = new Slow();
    try (Jvmti jvmti = open();
        slow) {
      PlaceSubscription last = atAnswer(jvmti, new AtomicInteger());
      slow.begin();
      Thread ends = new Thread(last::close);
      Thread begins = new Thread(() -> atAnswer(jvmti, told));
      ends.start();
      Eventually.isTrue("it ends", () -> slow.of(last.breakpoints()).isEmpty());
      begins.start();
      Eventually.isTrue("it waits for that", () -> isWaiting(begins));
      slow.close();
      join(ends);
      join(begins);
      Changeable.answer(slow.object);
      assertThat(told).hasValue(1);
    }
  }

  @Test
  void whoGivesUpTheCapabilityFirstMayCloseAfterwards() {
    try (Jvmti jvmti = open()) {
      PlaceSubscription here = jvmti.events().at(PASS, frame -> {});
      assertThat(here.breakpoints()).hasSize(1);
      jvmti.relinquish(CAN_GENERATE_BREAKPOINT_EVENTS);
      here.close();
      assertThat(here.breakpoints()).isEmpty();
    }
  }

  @Test
  void whoGivesUpTheCapabilityIsToldNoMoreWhoeverHasItThen() {
    AtomicInteger told = new AtomicInteger();
    AtomicInteger other = new AtomicInteger();
    try (Jvmti jvmti = open();
        Subscription all =
            jvmti
                .events()
                .on(
                    EventTypes.BREAKPOINT,
                    EventFilter.ANY.classes(Passed.class.getName()),
                    event -> told.incrementAndGet())) {
      PlaceSubscription here = jvmti.events().at(PASS, frame -> told.incrementAndGet());
      Passed.pass(1);
      assertThat(told).hasValue(2);
      jvmti.relinquish(CAN_GENERATE_BREAKPOINT_EVENTS);
      assertThat(here.breakpoints()).isEmpty();
      try (Jvmti next = open();
          PlaceSubscription there = next.events().at(PASS, frame -> other.incrementAndGet())) {
        Passed.pass(2);
        assertThat(there.breakpoints()).hasSize(1);
      }
      jvmti.add(CAN_GENERATE_BREAKPOINT_EVENTS);
      try (PlaceSubscription again = jvmti.events().at(PASS, frame -> other.incrementAndGet())) {
        Passed.pass(3);
        assertThat(here.breakpoints()).isEmpty();
        assertThat(again.breakpoints()).hasSize(1);
        here.close();
        Passed.pass(4);
      }
      assertThat(jvmti.breakpoints().all()).isEmpty();
      assertThat(told).hasValue(2);
      assertThat(other).hasValue(3);
      assertThat(all.counts().delivered()).isEqualTo(1);
    }
  }

  @Test
  void aBreakpointIsNotKeptForAPlaceWhoseCapabilityWasGivenUp() {
    try (Jvmti jvmti = open();
        PlaceSubscription here = jvmti.events().at(PASS, frame -> {})) {
      jvmti.relinquish(CAN_GENERATE_BREAKPOINT_EVENTS);
      jvmti.add(CAN_GENERATE_BREAKPOINT_EVENTS);
      jvmti.events().at(PASS, frame -> {}).close();
      assertThat(jvmti.breakpoints().all()).isEmpty();
      assertThat(here.breakpoints()).isEmpty();
    }
  }

  /** The second time the thread is at the same place, at the same depth. */
  @Test
  void aFrameIsNotThatOfTheNextWhoComesBy() {
    List<EventFrame> frames = new ArrayList<>();
    List<Throwable> refused = new ArrayList<>();
    try (Jvmti jvmti = open();
        PlaceSubscription here =
            jvmti
                .events()
                .at(
                    PASS,
                    frame -> {
                      frames.add(frame);
                      try {
                        frames.get(0).local("number", int.class);
                      } catch (IllegalStateException e) {
                        refused.add(e);
                      }
                    })) {
      for (int i = 0; i < 3; i++) {
        Passed.pass(i);
      }
      assertThat(frames).hasSize(3);
      assertThat(refused).hasSize(2);
      assertThat(here.counts().failed()).isZero();
    }
  }
}
