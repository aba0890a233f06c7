package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_FORCE_EARLY_RETURN;
import static io.jvmtools.Capability.CAN_GENERATE_SINGLE_STEP_EVENTS;
import static io.jvmtools.Capability.CAN_REDEFINE_CLASSES;
import static io.jvmtools.functions.event.EarlyReturns.early;
import static io.jvmtools.functions.event.EarlyReturns.entry;
import static io.jvmtools.functions.event.EarlyReturns.inTheMiddle;
import static io.jvmtools.functions.event.EarlyReturns.open;
import static io.jvmtools.functions.event.EarlyReturns.returns;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventFrame;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.event.SingleStepEvent;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.VirtualThreads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Listeners that have the method return in which their thread was stopped. */
@OnlyUnderTheAgent
class EarlyReturnTest {

  @Test
  void nothingMoreOfAMethodRunsThatReturnsNothing() {
    Shop shop = new Shop();
    early(
        "sell",
        EventFrame::returnEarly,
        () -> {
          shop.sell();
          return 0;
        });
    assertThat(shop.sold).isZero();
    shop.sell();
    assertThat(shop.sold).isEqualTo(1);
  }

  @Test
  void eachTypeIsReturned() {
    Shop shop = new Shop();
    assertThat(early("isOpen", returns(true), shop::isOpen)).isTrue();
    assertThat(early("aByte", returns((byte) -128), shop::aByte)).isEqualTo((byte) -128);
    assertThat(early("aChar", returns('\uffff'), shop::aChar)).isEqualTo('\uffff');
    assertThat(early("aShort", returns((short) -2), shop::aShort)).isEqualTo((short) -2);
    assertThat(early("price", returns(Integer.MIN_VALUE), shop::price))
        .isEqualTo(Integer.MIN_VALUE);
    assertThat(early("twice", returns(9), () -> Shop.twice(1))).isEqualTo(9);
    assertThat(early("aLong", returns(1L << 40), shop::aLong)).isEqualTo(1L << 40);
    assertThat(early("aFloat", returns(0.5f), shop::aFloat)).isEqualTo(0.5f);
    assertThat(early("aDouble", returns(-0.25), shop::aDouble)).isEqualTo(-0.25);
    assertThat(early("name", returns("other"), shop::name)).isEqualTo("other");
    assertThat(early("name", returns(null), shop::name)).isNull();
    int[] numbers = {1, 2};
    assertThat(early("numbers", returns(numbers), shop::numbers)).isSameAs(numbers);
    assertThat(early("any", returns(numbers), shop::any)).isSameAs(numbers);
    int[][] more = {numbers};
    assertThat((Object) early("all", returns(more), shop::all)).isSameAs(more);
    String[] texts = {"text"};
    assertThat((Object) early("all", returns(texts), shop::all)).isSameAs(texts);
    Shop other = new Shop() {};
    assertThat(early("branch", returns(other), shop::branch)).isSameAs(other);
    assertThat(shop.sold).isZero();
  }

  @Test
  void aValueIsReturnedInTheMiddleOfAnExpression() {
    Shop shop = new Shop();
    assertThat(early(inTheMiddle("basket"), returns("all"), shop::basket)).isEqualTo("all");
    assertThat(early(inTheMiddle("weight"), returns(-5), shop::weight)).isEqualTo(-5);
    assertThat(shop.sold).isEqualTo(2);
  }

  @Test
  void aPrimitiveValueIsWidenedAsTheLanguageDoes() {
    Shop shop = new Shop();
    assertThat(early("price", returns('z'), shop::price)).isEqualTo('z');
    assertThat(early("aLong", returns(-3), shop::aLong)).isEqualTo(-3);
    assertThat(early("aFloat", returns(7L), shop::aFloat)).isEqualTo(7);
    assertThat(early("aDouble", returns(0.5f), shop::aDouble)).isEqualTo(0.5);
  }

  @Test
  void whatIsLockedIsUnlockedAndNothingIsCleanedUp() {
    Shop shop = new Shop();
    AtomicInteger held = new AtomicInteger();
    Consumer<EventFrame> listener =
        frame -> {
          held.set(Thread.holdsLock(shop) ? 1 : 0);
          frame.returnEarly(5);
        };
    assertThat(early("locked", listener, shop::locked)).isEqualTo(5);
    assertThat(held).hasValue(1);
    assertThat(Thread.holdsLock(shop)).isFalse();
    held.set(0);
    Subscription all;
    try (Jvmti jvmti = open(CAN_GENERATE_SINGLE_STEP_EVENTS);
        Subscription steps =
            jvmti
                .events()
                .on(
                    EventTypes.SINGLE_STEP,
                    EventFilter.ANY.threads(Thread.currentThread()).classes(Shop.class.getName()),
                    event -> {
                      if (event.method().name().equals("lockedTwice")
                          && Thread.holdsLock(shop.till)
                          && held.compareAndSet(0, Thread.holdsLock(shop) ? 3 : 2)) {
                        jvmti.events().frame().returnEarly();
                      }
                    })) {
      shop.lockedTwice();
      all = steps;
    }
    assertThat(all.counts().failed() + all.counts().lost()).isZero();
    assertThat(held).hasValue(3);
    assertThat(Thread.holdsLock(shop) || Thread.holdsLock(shop.till)).isFalse();
    assertThat(shop.sold).isZero();
    assertThat(shop.cleanedUp).isFalse();
  }

  @Test
  void aListenerOfBreakpointsMayAsFrameSays() {
    Shop shop = new Shop();
    try (Jvmti jvmti = open();
        PlaceSubscription here = jvmti.events().at(entry("price"), frame -> {});
        Subscription hits =
            jvmti
                .events()
                .on(EventTypes.BREAKPOINT, event -> jvmti.events().frame().returnEarly(3))) {
      assertThat(here.breakpoints()).isNotEmpty();
      assertThat(shop.price()).isEqualTo(3);
      assertThat(hits.counts().failed()).isZero();
    }
    assertThat(shop.sold).isZero();
  }

  @Test
  void aMethodMayReturnEarlyAtEachOfItsBytecodes() {
    Shop shop = new Shop();
    try (Jvmti jvmti = open(CAN_GENERATE_SINGLE_STEP_EVENTS)) {
      AtomicInteger left = new AtomicInteger();
      int steps = 0;
      boolean early;
      do {
        left.set(++steps);
        try (Subscription all =
            jvmti
                .events()
                .on(
                    EventTypes.SINGLE_STEP,
                    EventFilter.ANY.threads(Thread.currentThread()).classes(Shop.class.getName()),
                    event -> {
                      if (event.method().name().equals("sell") && left.decrementAndGet() == 0) {
                        jvmti.events().frame().returnEarly();
                      }
                    })) {
          shop.sell();
          early = shop.sold == 0;
          assertThat(all.counts().failed() + all.counts().lost()).isZero();
        }
      } while (early);
      assertThat(steps).isGreaterThan(6);
      assertThat(shop.sold).isEqualTo(1);
    }
  }

  @Test
  void whoAsksFirstIsGrantedItAndTheOthersAreToldAsEver() {
    List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
    try (Jvmti jvmti = open();
        PlaceSubscription one = jvmti.events().at(entry("price"), returns(1_000));
        PlaceSubscription other =
            jvmti.events().at(entry("price"), returns(2_000)).onError(thrown::add)) {
      assertThat(new Shop().price()).isEqualTo(1_000);
      assertThat(one.counts().failed()).isZero();
      assertThat(other.counts().delivered()).isEqualTo(1);
      assertThat(thrown).hasSize(1);
      assertThat(thrown.get(0))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("returns early already");
    }
  }

  @Test
  void whoAsksAndThrowsHasItReturnAllTheSame() {
    List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
    Consumer<EventFrame> listener =
        frame -> {
          frame.returnEarly(4);
          throw new IllegalStateException("afterwards");
        };
    try (Jvmti jvmti = open();
        PlaceSubscription here = jvmti.events().at(entry("price"), listener).onError(thrown::add)) {
      assertThat(new Shop().price()).isEqualTo(4);
      assertThat(here.counts().failed()).isEqualTo(1);
      assertThat(thrown.get(0)).hasMessage("afterwards");
    }
  }

  /** Java that runs on the thread then would return in the method's place. */
  @Test
  void environmentsThatWouldBeToldLaterAreNot() {
    Shop shop = new Shop();
    List<Integer> answers = new ArrayList<>();
    Asking first = new Asking();
    Asking second = new Asking();
    for (int i = 0; i < 10; i++) {
      first.asks = i % 2 == 0;
      second.asks = first.asks;
      answers.add(shop.price());
    }
    Asking asker = first.suppressed() == 0 ? first : second;
    Asking other = asker == first ? second : first;
    // Whoever has asked last may have gone before the other one is told of the next one.
    asker.asks = true;
    answers.add(shop.price());
    asker.here.close();
    asker.jvmti.close();
    answers.add(shop.price());
    other.here.close();
    other.jvmti.close();
    assertThat(answers).containsExactly(100, 1, 100, 2, 100, 3, 100, 4, 100, 5, 100, 6);
    assertThat(asker.seen).hasSize(11).containsOnly("price");
    assertThat(other.seen).hasSize(6).containsOnly("price");
    assertThat(asker.suppressed()).isZero();
    assertThat(other.suppressed()).isEqualTo(6);
    assertThat(other.here.counts().failed() + other.here.counts().lost()).isZero();
  }

  /** Listens in an environment of its own, and does a little there, as listeners do. */
  private static final class Asking {

    final Jvmti jvmti = Jvmti.open(CAN_GENERATE_SINGLE_STEP_EVENTS, CAN_FORCE_EARLY_RETURN);
    final List<String> seen = new ArrayList<>();
    boolean asks;
    final Subscription here =
        jvmti
            .events()
            .on(
                EventTypes.SINGLE_STEP,
                EventFilter.ANY.threads(Thread.currentThread()).classes(Shop.class.getName()),
                this::step);

    private void step(SingleStepEvent event) {
      if (event.location() == 0) {
        EventFrame frame = jvmti.events().frame();
        seen.add(frame.stackTrace().get(0).methodName());
        if (asks) {
          frame.returnEarly(100);
        }
      }
    }

    long suppressed() {
      return here.counts().suppressed();
    }
  }

  @Test
  void aListenerMayCallTheMethodThatReturnsEarly() {
    Shop shop = new Shop();
    List<Integer> inner = Collections.synchronizedList(new ArrayList<>());
    Consumer<EventFrame> listener =
        frame -> {
          inner.add(shop.price());
          frame.returnEarly(50);
          inner.add(shop.price());
        };
    assertThat(early("price", listener, shop::price)).isEqualTo(50);
    assertThat(inner).containsExactly(1, 2);
  }

  @Test
  void aClassMayBeRedefinedMeanwhile() {
    try (Jvmti jvmti = open(CAN_REDEFINE_CLASSES);
        PlaceSubscription here =
            jvmti
                .events()
                .at(
                    CodePlace.entry(Relay.class.getName(), "pass"),
                    frame -> {
                      frame.returnEarly();
                      jvmti.classes().redefine(Relay.class, ClassFiles.of(Relay.class));
                    })) {
      AtomicInteger passed = new AtomicInteger();
      new Relay(passed::incrementAndGet).run();
      assertThat(here.counts().failed()).isZero();
      assertThat(here.counts().lost()).isEqualTo(passed.get());
    }
  }

  @Test
  void whoClosesTheEnvironmentMeanwhileHasTheMethodGoOn() {
    Jvmti jvmti = open();
    jvmti
        .events()
        .at(
            entry("price"),
            frame -> {
              frame.returnEarly(80);
              jvmti.close();
            });
    assertThat(new Shop().price()).isEqualTo(1);
    assertThat(new Shop().price()).isEqualTo(1);
  }

  @Test
  void anEnvironmentThatGivesTheCapabilityUpMeanwhileHasTheMethodGoOn() {
    try (Jvmti jvmti = open();
        PlaceSubscription here =
            jvmti
                .events()
                .at(
                    entry("price"),
                    frame -> {
                      frame.returnEarly(80);
                      jvmti.relinquish(CAN_FORCE_EARLY_RETURN);
                    })) {
      assertThat(new Shop().price()).isEqualTo(1);
      assertThat(here.counts().failed()).isZero();
      assertThat(here.counts().lost()).isEqualTo(1);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void virtualThreadsAreLikeOthers() throws Exception {
    Shop shop = new Shop();
    List<Object> answers = Collections.synchronizedList(new ArrayList<>());
    try (Jvmti jvmti = open();
        PlaceSubscription price = jvmti.events().at(entry("price"), returns(6));
        PlaceSubscription name = jvmti.events().at(entry("name"), returns("virtual"))) {
      Thread thread =
          VirtualThreads.start(
              "early",
              () -> {
                for (int i = 0; i < 100; i++) {
                  answers.add(shop.price());
                  Thread.yield();
                  answers.add(shop.name());
                }
              });
      thread.join();
      assertThat(price.counts().failed() + name.counts().failed()).isZero();
      assertThat(price.counts().lost() + name.counts().lost()).isZero();
    }
    assertThat(answers).hasSize(200).containsOnly(6, "virtual");
    assertThat(shop.sold).isZero();
  }
}
