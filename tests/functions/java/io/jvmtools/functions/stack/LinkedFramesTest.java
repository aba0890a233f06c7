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
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Methods that are just linking an instruction by means of the JDK: on HotSpot a frame of the JDK
 * would be left instead, and the JVM crash.
 */
class LinkedFramesTest {

  @ParameterizedTest
  @ValueSource(strings = {"pop", "return"})
  @Tag(UnderTheAgentTest.ONCE)
  void areNotLeftThere(String how) {
    ChildJvm.of(Program.class).agent("prepare=debugging").args(how).run().succeeds();
  }

  /** Links its instructions anew in each copy of its class. */
  public static final class Fresh implements UnaryOperator<String> {

    public Fresh() {}

    @Override
    public String apply(String text) {
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
      Thread calls = new Thread(Program::call, "calls");
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
                leave(jvmti.frames(), calls, args[0], refusedAndLeft);
              } finally {
                jvmti.threads().resume(calls);
              }
              return refusedAndLeft[0] >= REFUSED && refusedAndLeft[1] >= LEFT;
            });
      }
      assertThat(SEEN).as("what is returned, or thrown").containsOnlyKeys(returned(args[0]));
    }

    private static String[] returned(String how) {
      return how.equals("pop") ? new String[] {"xq1"} : new String[] {"xq1", "left"};
    }

    private static void leave(Frames frames, Thread thread, String how, int[] refusedAndLeft) {
      if (!frames.stackTrace(thread, 0, 1).toString().contains("Fresh.apply")) {
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
        assertThat(refused).hasMessageContaining("link by calling the JDK");
        refusedAndLeft[0]++;
      } catch (IllegalStateException pending) {
        assertThat(pending).hasMessageContaining("about to leave");
      }
    }

    private static void call() {
      Copies copies = new Copies();
      while (true) {
        String seen;
        try {
          seen = copies.next().apply("x");
        } catch (Throwable thrown) {
          seen = thrown.toString();
        }
        SEEN.merge(seen, 1, Integer::sum);
      }
    }
  }
}
