package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_FORCE_EARLY_RETURN;
import static io.jvmtools.Capability.CAN_POP_FRAME;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.NotSupportedException;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.stack.Frames;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Methods for which the JVM calls Java: to link an instruction, or to make what it throws. On
 * HotSpot that would be left instead, and the JVM crash.
 */
class LinkedFramesTest {

  @ParameterizedTest
  @CsvSource({
    "pop, LINKS, -Xmixed",
    "return, LINKS, -Xmixed",
    "pop, THROWS, -Xint",
    "return, THROWS, -Xint",
    "return, THROWS, -XX:-OmitStackTraceInFastThrow"
  })
  @Tag(UnderTheAgentTest.ONCE)
  void areNotLeftThere(String how, Victim victim, String option) {
    ChildJvm.of(Program.class)
        .agent("prepare=debugging")
        .jvmArgs(option)
        .args(how, victim.name())
        .run()
        .succeeds();
  }

  /** What is called again and again, and what comes of it. */
  enum Victim {
    LINKS("xq1") {
      @Override
      String call(Copies copies) throws ReflectiveOperationException {
        return copies.next().apply("x");
      }
    },

    THROWS("java.lang.ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 1") {
      @Override
      String call(Copies copies) {
        return fourth(new String[] {"first"});
      }
    };

    /** Written, so that no loop is left out. */
    private static volatile int turned;

    private final String outcome;

    Victim(String outcome) {
      this.outcome = outcome;
    }

    abstract String call(Copies copies) throws ReflectiveOperationException;

    static String fourth(String[] texts) {
      int turns = 0;
      while (turns < TURNS) {
        turned = turns++;
      }
      return texts[3];
    }
  }

  /** Of a loop in which each frame can be left. */
  private static final int TURNS = 2_000;

  /** Links its instructions anew in each copy of its class. */
  public static final class Fresh implements UnaryOperator<String> {

    private static volatile int turned;

    public Fresh() {}

    @Override
    public String apply(String text) {
      int turns = 0;
      while (turns < TURNS) {
        turned = turns++;
      }
      return text + "q" + text.length();
    }
  }

  private static final class Copies extends ClassLoader {

    private final byte[] file = ClassFiles.of(Fresh.class);

    Copies() {
      super(Fresh.class.getClassLoader());
    }

    @SuppressWarnings("unchecked")
    UnaryOperator<String> next() throws ReflectiveOperationException {
      return (UnaryOperator<String>) new Copies().define().getConstructor().newInstance();
    }

    private Class<?> define() {
      return defineClass(null, file, 0, file.length);
    }
  }

  /** What the child runs. */
  static final class Program {

    private static final int REFUSED = 50;
    private static final int LEFT = 10;

    private static final Map<String, Integer> SEEN = new ConcurrentHashMap<>();

    private Program() {}

    public static void main(String[] args) {
      String how = args[0];
      Victim victim = Victim.valueOf(args[1]);
      Thread calls = new Thread(() -> call(victim), "calls");
      calls.setDaemon(true);
      calls.start();
      Eventually.isTrue("it calls", () -> !SEEN.isEmpty());
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_POP_FRAME, CAN_FORCE_EARLY_RETURN)) {
        int[] refusedAndLeft = new int[2];
        Eventually.isTrue(
            "it is stopped there often enough",
            () -> {
              jvmti.threads().suspend(calls);
              try {
                leave(jvmti.frames(), calls, how, refusedAndLeft);
              } finally {
                jvmti.threads().resume(calls);
              }
              return refusedAndLeft[0] >= REFUSED && refusedAndLeft[1] >= LEFT;
            });
      }
      String[] expected =
          how.equals("pop") ? new String[] {victim.outcome} : new String[] {victim.outcome, "left"};
      assertThat(SEEN).as("what is returned, or thrown").containsOnlyKeys(expected);
    }

    private static void leave(Frames frames, Thread thread, String how, int[] refusedAndLeft) {
      String top = frames.stackTrace(thread, 0, 1).toString();
      if (!top.contains("Fresh.apply") && !top.contains("Victim.fourth")) {
        return;
      }
      try {
        if (how.equals("pop")) {
          frames.pop(thread);
        } else {
          frames.forceReturn(thread, (Object) "left");
        }
        refusedAndLeft[1]++;
      } catch (NotSupportedException refused) {
        assertThat(refused).hasMessageContaining("where the JVM may call Java itself");
        refusedAndLeft[0]++;
      } catch (IllegalStateException pending) {
        assertThat(pending).hasMessageContaining("about to leave");
      }
    }

    private static void call(Victim victim) {
      Copies copies = new Copies();
      while (true) {
        String seen;
        try {
          seen = victim.call(copies);
        } catch (Throwable thrown) {
          seen = thrown.toString();
        }
        SEEN.merge(seen, 1, Integer::sum);
      }
    }
  }
}
