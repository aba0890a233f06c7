package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_FORCE_EARLY_RETURN;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_POP_FRAME;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.support.AtOnce;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Several threads suspend one, have it leave its frames, and resume it, each when it likes. */
@OnlyUnderTheAgent
class LeftFramesAtOnceTest {

  private static final int ROUNDS = 1_500;

  /** In one of two methods at any time, which return other types. */
  private static final class Working implements Runnable {

    private static final int MANY = 1 << 12;

    private final byte[] table = new byte[256];
    private volatile boolean over;
    private volatile long sum;

    @Override
    public void run() {
      while (!over) {
        sum += table[narrow() + 128] + text(3).length() + wide(sum);
      }
    }

    private byte narrow() {
      int turns = 0;
      while (turns < MANY) {
        turns++;
      }
      return (byte) turns;
    }

    private long wide(long from) {
      long turns = from;
      while (turns < from + MANY) {
        turns++;
      }
      return turns & 1;
    }

    private String text(int length) {
      int turns = 0;
      while (turns < MANY) {
        turns++;
      }
      return length == 3 ? "abc" : "";
    }
  }

  @Test
  void whateverTheyDoTheThreadGoesOnWithWhatItsMethodsReturn() throws Exception {
    Working working = new Working();
    AtomicInteger failures = new AtomicInteger();
    Thread thread = new Thread(working, "working");
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler((dying, failure) -> failures.incrementAndGet());
    thread.start();
    JvmMethod narrow = JvmMethod.of(Working.class.getDeclaredMethod("narrow"));
    try (Jvmti jvmti =
        Jvmti.open(
            CAN_SUSPEND, CAN_POP_FRAME, CAN_FORCE_EARLY_RETURN, CAN_GENERATE_BREAKPOINT_EVENTS)) {
      List<Runnable> deeds =
          List.of(
              () -> jvmti.frames().pop(thread),
              () -> jvmti.frames().forceReturn(thread, 100),
              () -> jvmti.frames().forceReturn(thread, 1L),
              () -> jvmti.frames().forceReturn(thread, "early"),
              () -> jvmti.threads().resume(thread),
              () -> jvmti.breakpoints().set(narrow, 0),
              () -> jvmti.breakpoints().clear(narrow, 0));
      Runnable body =
          () -> {
            for (int i = 0; i < ROUNDS; i++) {
              refused(() -> jvmti.threads().suspend(thread));
              refused(deeds.get(i % deeds.size()));
              refused(() -> jvmti.threads().resume(thread));
            }
          };
      AtOnce.run(3, number -> body.run());
    }
    working.over = true;
    thread.join();
    assertThat(failures).hasValue(0);
  }

  private static void refused(Runnable deed) {
    try {
      deed.run();
    } catch (NotSupportedException expected) {
      assertThat(expected).hasMessageContaining("let it run a little");
    } catch (JvmtiException expected) {
      assertThat(expected.error().number()).isPositive();
    } catch (IllegalStateException expected) {
      assertThat(expected).hasMessageContaining("the thread is about to leave its frame already");
    }
  }
}
