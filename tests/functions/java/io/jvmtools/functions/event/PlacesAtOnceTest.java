package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.RedefinitionException;
import io.jvmtools.StalledException;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFrame;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.functions.Changeable;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** What several do at one place at the same moment, or while something is in the way. */
@EnabledIfSystemProperty(
    named = UnderTheAgentTest.INSIDE,
    matches = "true",
    disabledReason = "the capabilities need the agent at start")
class PlacesAtOnceTest {

  private static final int ROUNDS = 200;

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
              try (PlaceSubscription one =
                  jvmti.events().at(PASS, frame -> count(frame, number, told))) {
                assertThat(Passed.pass(number)).isEqualTo(number);
                assertThat(told).as("in round %d, by %s", i, one).hasValue(1);
              }
              Passed.pass(number);
              assertThat(told).hasValue(1);
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

  @Test
  void whatIsInTheWayOfClosingKeepsTheBreakpointOnlyForThatTime() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    AtomicInteger told = new AtomicInteger();
    Class<?> type =
        Changeable.type(
            asked -> {
              if (asked.equals("Slow")) {
                inside.countDown();
                await(over);
              }
            });
    Object object = Changeable.make(type);
    Thread slow =
        new Thread(
            () ->
                assertThatThrownBy(() -> JvmTools.redefineClass(type, Changeable.naming("Slow")))
                    .isInstanceOf(RedefinitionException.class));
    try (Jvmti jvmti = open()) {
      PlaceSubscription here =
          jvmti
              .events()
              .at(CodePlace.entry(Changeable.NAME, "answer"), frame -> told.incrementAndGet());
      Changeable.answer(object);
      assertThat(told).hasValue(1);
      slow.start();
      try {
        inside.await();
        assertThatThrownBy(here::close)
            .isInstanceOf(StalledException.class)
            .hasMessageContaining("changing one of these classes");
        Changeable.answer(object);
        assertThat(told).hasValue(1);
        assertThat(jvmti.breakpoints().all()).hasSize(1);
      } finally {
        over.countDown();
        slow.join();
      }
      Eventually.isTrue("it is cleared", () -> jvmti.breakpoints().all().isEmpty());
      assertThat(here.breakpoints()).isEmpty();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
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
