package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_EXCEPTION_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_FRAME_POP_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_SINGLE_STEP_EVENTS;
import static io.jvmtools.Capability.CAN_SIGNAL_THREAD;
import static io.jvmtools.functions.event.EarlyReturns.early;
import static io.jvmtools.functions.event.EarlyReturns.entry;
import static io.jvmtools.functions.event.EarlyReturns.inTheMiddle;
import static io.jvmtools.functions.event.EarlyReturns.open;
import static io.jvmtools.functions.event.EarlyReturns.returns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventFrame;
import io.jvmtools.event.EventType;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.functions.Relay;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What listeners are refused that would have a method return early. */
@OnlyUnderTheAgent
class EarlyReturnRefusedTest {

  private static final int TYPE_MISMATCH = 34;

  /** It is stopped in its constructor. */
  static final class Made {
    final int number;

    Made() {
      number = 7;
    }
  }

  /** What a listener at the beginning of a method is refused, with the method running as ever. */
  private static Throwable refused(String method, Object value, Runnable call) {
    return refused(entry(method), value, call);
  }

  private static Throwable refused(CodePlace place, Object value, Runnable call) {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    try (Jvmti jvmti = open();
        PlaceSubscription here = jvmti.events().at(place, returns(value)).onError(thrown::set)) {
      call.run();
      assertThat(here.counts().failed()).isEqualTo(1);
    }
    return thrown.get();
  }

  @Test
  void aValueThatTheMethodDoesNotReturnIsRefused() {
    Shop shop = new Shop();
    assertThat(refused("price", "text", shop::price))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("value is a java.lang.String, which a method of type I does not take");
    assertThat(refused("price", null, shop::price)).isInstanceOf(IllegalArgumentException.class);
    assertThat(refused("price", 1L, shop::price)).isInstanceOf(IllegalArgumentException.class);
    assertThat(refused("aByte", 1, shop::aByte)).isInstanceOf(IllegalArgumentException.class);
    assertThat(refused("isOpen", 1, shop::isOpen)).isInstanceOf(IllegalArgumentException.class);
    assertThat(shop.sold).isEqualTo(4);
    assertMismatch(refused("name", 1, shop::name));
    assertMismatch(refused("numbers", new long[0], shop::numbers));
    assertMismatch(refused("numbers", new int[0][0], shop::numbers));
    assertMismatch(refused("numbers", 1, shop::numbers));
    assertMismatch(refused("branch", "text", shop::branch));
    assertMismatch(refused("sell", "text", shop::sell));
    assertMismatch(refused("sell", null, shop::sell));
    Runnable namesake = new ClassFiles.Loader("other").relay(ClassFiles.of(Relay.class), () -> {});
    assertMismatch(refused("relay", namesake, shop::relay));
    assertThat(shop.sold).isEqualTo(12);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    try (Jvmti jvmti = open();
        PlaceSubscription here =
            jvmti.events().at(entry("price"), EventFrame::returnEarly).onError(thrown::set)) {
      assertThat(shop.price()).isEqualTo(13);
      assertThat(here.counts().failed()).isEqualTo(1);
    }
    assertMismatch(thrown.get());
  }

  private static void assertMismatch(Throwable refused) {
    assertThat(refused)
        .isInstanceOf(JvmtiException.class)
        .hasMessageContaining("ForceEarlyReturn")
        .hasMessageContaining("the method returns another type");
    assertThat(((JvmtiException) refused).error().number()).isEqualTo(TYPE_MISMATCH);
  }

  @Test
  void constructorsAndMethodsOfTheJdkAreNotLeft() {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    try (Jvmti jvmti = open();
        PlaceSubscription made =
            jvmti
                .events()
                .at(CodePlace.entry(Made.class.getName(), "<init>"), EventFrame::returnEarly)
                .onError(thrown::set)) {
      assertThat(new Made().number).isEqualTo(7);
      assertThat(made.counts().failed()).isEqualTo(1);
      assertThat(thrown.get())
          .isInstanceOf(NotSupportedException.class)
          .hasMessageContaining("a constructor is not returned from");
    }
    try (Jvmti jvmti = open();
        PlaceSubscription max =
            jvmti
                .events()
                .at(CodePlace.entry("java.util.BitSet", "cardinality"), returns(8))
                .onError(thrown::set)) {
      assertThat(new BitSet().cardinality()).isZero();
      assertThat(max.counts().failed()).isEqualTo(1);
      assertThat(thrown.get())
          .isInstanceOf(NotSupportedException.class)
          .hasMessageContaining("methods of the JDK's own");
    }
  }

  /** HotSpot would take it for what is on the stack there, if it collected garbage. */
  @ParameterizedTest
  @MethodSource("interpreting")
  void whileThreadsAreInterpretedAValueThatWouldNotArriveIsRefused(EventType<?> type) {
    Shop shop = new Shop();
    try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_SINGLE_STEP_EVENTS, CAN_GENERATE_FRAME_POP_EVENTS);
        Subscription one =
            jvmti.events().on(type, EventFilter.ANY.classes("com.acme.NoSuch"), event -> {})) {
      assertInterpreted(refused(entry("name"), "early", shop::name));
      assertInterpreted(refused(entry("numbers"), new int[0], shop::numbers));
      assertInterpreted(refused(inTheMiddle("basket"), "early", shop::basket));
      assertInterpreted(refused(inTheMiddle("basket"), null, shop::basket));
      assertInterpreted(refused(inTheMiddle("weight"), 1, shop::weight));
      assertThat(early("price", returns(8), shop::price)).isEqualTo(8);
      assertThat(early("name", returns(null), shop::name)).isNull();
      assertThat(one.counts().failed()).isZero();
      jvmti.relinquish(CAN_GENERATE_SINGLE_STEP_EVENTS, CAN_GENERATE_FRAME_POP_EVENTS);
      assertThat(early("name", returns("given up"), shop::name)).isEqualTo("given up");
    }
    assertThat(early("name", returns("early"), shop::name)).isEqualTo("early");
    assertThat(early(inTheMiddle("weight"), returns(1), shop::weight)).isEqualTo(1);
  }

  static List<EventType<?>> interpreting() {
    return List.of(EventTypes.SINGLE_STEP, EventTypes.FRAME_POP);
  }

  private static void assertInterpreted(Throwable refused) {
    assertThat(refused)
        .isInstanceOf(NotSupportedException.class)
        .hasMessageContaining("asks for single steps, or for entries, exits or pops of methods");
  }

  @Test
  void withoutTheCapabilityItIsRefused() {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS);
        PlaceSubscription here =
            jvmti.events().at(entry("price"), returns(1)).onError(thrown::set)) {
      assertThat(new Shop().price()).isEqualTo(1);
      assertThat(here.counts().failed()).isEqualTo(1);
    }
    assertThat(thrown.get())
        .isInstanceOf(MissingCapabilityException.class)
        .hasMessageContaining("CAN_FORCE_EARLY_RETURN");
  }

  @Test
  void whoIsToldOfSomethingElseIsRefused() {
    List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
    try (Jvmti jvmti = open(CAN_GENERATE_EXCEPTION_EVENTS);
        Subscription exceptions =
            jvmti
                .events()
                .on(
                    EventTypes.EXCEPTION,
                    EventFilter.ANY
                        .threads(Thread.currentThread())
                        .classes(ArithmeticException.class),
                    event -> jvmti.events().frame().returnEarly(1))
                .onError(thrown::add)) {
      assertThatThrownBy(() -> Shop.half(0)).isInstanceOf(ArithmeticException.class);
      assertThat(exceptions.counts().failed()).isEqualTo(1);
    }
    assertThat(thrown).hasSize(1);
    assertThat(thrown.get(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no listener of a breakpoint or of a single step");
  }

  @Test
  void onlyTheListenerItselfMayAskAndNotLater() {
    AtomicReference<EventFrame> kept = new AtomicReference<>();
    Shop shop = new Shop();
    Consumer<EventFrame> listener =
        frame -> {
          kept.set(frame);
          FutureTask<Object> other =
              new FutureTask<>(
                  () -> {
                    frame.returnEarly(1);
                    return 0;
                  });
          new Thread(other).start();
          assertFails(other::get, "the frame is that of the thread");
        };
    assertThat(early("price", listener, shop::price)).isEqualTo(1);
    assertFails(() -> kept.get().returnEarly(1), "the listener has returned");
    assertFails(() -> kept.get().returnEarly(), "the listener has returned");
    // Nor in a listener of another event at the same place.
    Consumer<EventFrame> later = frame -> assertFails(() -> kept.get().returnEarly(1), "returned");
    assertThat(early("price", later, shop::price)).isEqualTo(2);
  }

  private interface Call {
    void run() throws Exception;
  }

  /** Not by what an assertion library does in a listener: it would be of a step. */
  private static void assertFails(Call call, String words) {
    try {
      call.run();
    } catch (Exception e) {
      String message = e.getCause() == null ? e.getMessage() : e.getCause().getMessage();
      if (message.contains(words)) {
        return;
      }
      throw new AssertionError(e);
    }
    throw new AssertionError("it is not refused: " + words);
  }

  @Test
  void whatAnotherThreadHasThrownComesFirst() {
    Thread thread = Thread.currentThread();
    List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
    try (Jvmti jvmti = open(CAN_SIGNAL_THREAD);
        PlaceSubscription here =
            jvmti
                .events()
                .at(
                    entry("price"),
                    frame -> {
                      AtomicBoolean hasStopped = new AtomicBoolean();
                      new Thread(
                              () -> {
                                jvmti.threads().stop(thread, new ArithmeticException("early"));
                                hasStopped.set(true);
                              })
                          .start();
                      try {
                        spin();
                      } catch (ArithmeticException stopped) {
                        thrown.add(stopped);
                      }
                      // In Java, where the library takes it for one that may throw it still.
                      while (!hasStopped.get()) {
                        Thread.onSpinWait();
                      }
                      frame.returnEarly(70);
                    })
                .onError(thrown::add)) {
      assertThat(new Shop().price()).isEqualTo(1);
      assertThat(here.counts().failed()).isEqualTo(1);
    }
    // It has come to that since, at the same place or elsewhere.
    assertThat(early("price", returns(71), new Shop()::price)).isEqualTo(71);
    assertThat(thrown).hasSize(2);
    assertThat(thrown.get(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("about to throw what another one has thrown");
  }

  /** Until something is thrown. */
  private static void spin() {
    int spun = 0;
    while (spun >= 0) {
      spun = Shop.half(1);
    }
  }
}
