package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_FORCE_EARLY_RETURN;
import static io.jvmtools.Capability.CAN_POP_FRAME;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.NotSupportedException;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.ChildJvm;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A frame that is popped and, before its thread has run, told to return: on HotSpot the second one
 * would befall the caller, which returns what it never does. A thread that is resumed and suspended
 * at once may not have run.
 */
class LeftTwiceTest {

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void itsCallerReturnsWhatItReturns() {
    ChildJvm.of(Program.class).agent("prepare=debugging").jvmArgs("-Xint").run().succeeds();
  }

  /** What the child runs. */
  static final class Program {

    /** Without the check a hundred are enough for the JVM to crash. */
    private static final int POPPED = 500;

    private static final int TURNS = 3_000;
    private static final int CALLS = 50;

    private static final Map<Object, Integer> SEEN = new ConcurrentHashMap<>();
    private static volatile int turned;

    private Program() {}

    public static void main(String[] args) {
      Thread thread = new Thread(Program::call, "calls");
      thread.setDaemon(true);
      thread.start();
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_POP_FRAME, CAN_FORCE_EARLY_RETURN)) {
        int popped = 0;
        while (popped < POPPED) {
          if (isLeft(jvmti, thread, jvmti.frames()::pop)) {
            popped++;
            isLeft(jvmti, thread, top -> jvmti.frames().forceReturn(top, 3));
          }
        }
      }
      assertThat(SEEN).containsOnlyKeys("outer");
      assertThat(thread.isAlive()).isTrue();
    }

    private static boolean isLeft(Jvmti jvmti, Thread thread, Consumer<Thread> how) {
      jvmti.threads().suspend(thread);
      try {
        if (!jvmti.frames().stackTrace(thread, 0, 1).toString().contains("Program.inner")) {
          return false;
        }
        how.accept(thread);
        return true;
      } catch (NotSupportedException elsewhere) {
        return false;
      } catch (IllegalStateException pending) {
        assertThat(pending).hasMessageContaining("let it run a little");
        return false;
      } finally {
        jvmti.threads().resume(thread);
      }
    }

    private static void call() {
      while (true) {
        SEEN.merge(outer(), 1, Integer::sum);
      }
    }

    private static Object outer() {
      int result = 0;
      for (int call = 0; call < CALLS; call++) {
        result = inner(result);
      }
      return result == -1 ? "never" : "outer";
    }

    private static int inner(int given) {
      int result = given;
      for (int turn = 0; turn < TURNS; turn++) {
        result = result * 31 & 0xffff;
        turned = result;
      }
      return result;
    }
  }
}
