package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GENERATE_EXCEPTION_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_METHOD_ENTRY_EVENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventType;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildJvm;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;

/** A virtual thread that asks for its own events gets all of them, also the second time. */
@EnabledForJreRange(minVersion = 21, disabledReason = "virtual threads are of 21")
class VirtualListenersTest {

  @Test
  void whoAsksForHisOwnEventsIsToldOfAll() {
    ChildJvm.of(Own.class).agent("prepare=debugging+tracing").run().succeeds();
  }

  /** Most of them: a carrier that starts meanwhile the JVM sometimes forgets. */
  @Test
  void whoIsCarriedByAnotherThreadIsToldOfItsExceptions() {
    ChildJvm.of(Carried.class).agent("prepare=debugging").run().succeeds();
  }

  /** Compiled code, which asks the thread that carries it whether anybody is to be told. */
  static final class Carried {

    private static final int COMPILED = 50_000;
    private static final int ROUNDS = 5;
    private static final int TIMES = 400;

    /** Fewer than there may be carriers, so that each has one. */
    private static final int OTHERS = 8;

    private static volatile boolean ended;

    public static void main(String[] args) throws InterruptedException {
      for (int i = 0; i < COMPILED; i++) {
        Own.fail();
      }
      for (int i = 0; i < OTHERS; i++) {
        VirtualThreads.start("other", Carried::yieldAlways);
      }
      AtomicLong told = new AtomicLong();
      for (int i = 0; i < ROUNDS; i++) {
        VirtualThreads.start("own", () -> told.addAndGet(listen())).join();
      }
      ended = true;
      assertThat(told.get()).isGreaterThan(ROUNDS * TIMES / 3);
    }

    private static void yieldAlways() {
      while (!ended) {
        Thread.yield();
      }
    }

    private static long listen() {
      EventFilter mine =
          EventFilter.ANY.threads(Thread.currentThread()).classes(IllegalStateException.class);
      try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_EXCEPTION_EVENTS);
          Subscription one = jvmti.events().on(EventTypes.EXCEPTION, mine, event -> {})) {
        for (int i = 0; i < TIMES; i++) {
          Own.fail();
          Thread.yield();
        }
        return one.counts().delivered();
      }
    }
  }

  static final class Own {

    private static final int ROUNDS = 20;
    private static final int TIMES = 3;

    private static int entered;

    public static void main(String[] args) throws InterruptedException {
      for (int round = 0; round < ROUNDS; round++) {
        listens(CAN_GENERATE_METHOD_ENTRY_EVENTS, EventTypes.METHOD_ENTRY, Own::enter);
        listens(CAN_GENERATE_EXCEPTION_EVENTS, EventTypes.EXCEPTION, Own::fail);
      }
    }

    private static void listens(Capability needed, EventType<?> type, Runnable deed)
        throws InterruptedException {
      long[] told = new long[1];
      VirtualThreads.start(
              "own",
              () -> {
                EventFilter mine =
                    EventFilter.ANY
                        .threads(Thread.currentThread())
                        .classes(Own.class, IllegalStateException.class);
                try (Jvmti jvmti = Jvmti.open(needed);
                    Subscription one =
                        jvmti
                            .events()
                            .on(type, mine, event -> told[0] += isOfDeed(event.toString()))) {
                  for (int i = 0; i < TIMES; i++) {
                    deed.run();
                  }
                  assertThat(one.counts().lost()).as(type.name()).isZero();
                }
              })
          .join();
      assertThat(told[0]).as(type.name()).isEqualTo(TIMES);
    }

    private static int isOfDeed(String event) {
      return event.contains(".enter(") || event.contains(".fail(") ? 1 : 0;
    }

    private static void enter() {
      entered++;
    }

    private static void fail() {
      try {
        throw new IllegalStateException("nobody's");
      } catch (IllegalStateException expected) {
        entered++;
      }
    }
  }
}
