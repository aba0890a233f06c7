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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;

/** A virtual thread that asks for its own events gets all of them, also the second time. */
@EnabledForJreRange(minVersion = 21, disabledReason = "virtual threads are of 21")
class VirtualListenersTest {

  @Test
  void whoAsksForHisOwnEventsIsToldOfAll() {
    ChildJvm.of(Own.class).agent("prepare=debugging+tracing").run().succeeds();
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
                            .on(type, event -> told[0] += isOfDeed(event.toString()), mine)) {
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
