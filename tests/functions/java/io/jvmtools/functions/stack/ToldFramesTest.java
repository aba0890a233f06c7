package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_FORCE_EARLY_RETURN;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_POP_FRAME;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.PlaceSubscription;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.ChildJvm;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A thread that is suspended on its way to a listener, and made to leave its frame: on HotSpot it
 * would leave the listener, and crash within a second.
 */
class ToldFramesTest {

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void whoIsToldOfAnEventLeavesNoListener() {
    ChildJvm.of(Program.class).agent("prepare=debugging").jvmArgs("-Xint").run().succeeds();
  }

  /** What the child runs. */
  static final class Program {

    private static final int TIMES = 25;
    private static final int PRICE = 7;
    private static final int EARLY = 7_777;

    private static volatile boolean over;

    private Program() {}

    private static int price() {
      return PRICE;
    }

    private static void call(AtomicInteger early, AtomicInteger wrong) {
      while (!over) {
        int price = price();
        if (price == EARLY) {
          early.incrementAndGet();
        } else if (price != PRICE) {
          wrong.incrementAndGet();
        }
      }
    }

    public static void main(String[] args) throws InterruptedException {
      AtomicInteger early = new AtomicInteger();
      AtomicInteger wrong = new AtomicInteger();
      CodePlace place = CodePlace.entry(Program.class.getName(), "price");
      Thread thread = new Thread(() -> call(early, wrong), "told");
      thread.setDaemon(true);
      try (Jvmti jvmti =
              Jvmti.open(
                  CAN_SUSPEND,
                  CAN_FORCE_EARLY_RETURN,
                  CAN_POP_FRAME,
                  CAN_GENERATE_BREAKPOINT_EVENTS);
          PlaceSubscription one = jvmti.events().at(place, frame -> {});
          PlaceSubscription other = jvmti.events().at(place, frame -> {})) {
        thread.start();
        int refused = 0;
        for (int left = 0; left < TIMES || refused == 0; ) {
          String why = leaves(jvmti, thread, left % 2 == 0);
          left += why.isEmpty() ? 1 : 0;
          refused += why.contains("is being told of an event") ? 1 : 0;
        }
        over = true;
        thread.join();
        assertThat(wrong).hasValue(0);
        assertThat(early).hasPositiveValue();
        assertThat(one.counts().delivered()).isPositive();
        assertThat(one.counts().failed() + other.counts().failed()).isZero();
        assertThat(one.counts().suppressed()).isPositive();
      }
    }

    /** Why it does not; empty if it does. */
    private static String leaves(Jvmti jvmti, Thread thread, boolean returns) {
      jvmti.threads().suspend(thread);
      try {
        if (returns) {
          jvmti.frames().forceReturn(thread, EARLY);
        } else {
          jvmti.frames().pop(thread);
        }
        return "";
      } catch (JvmtiException elsewhere) {
        return elsewhere.getMessage();
      } catch (IllegalStateException now) {
        assertThat(now).hasMessageContaining("let it run a little");
        return now.getMessage();
      } finally {
        jvmti.threads().resume(thread);
      }
    }
  }
}
