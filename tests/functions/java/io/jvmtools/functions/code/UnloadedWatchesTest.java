package io.jvmtools.functions.code;

import static io.jvmtools.Capability.CAN_GENERATE_FIELD_ACCESS_EVENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.code.JvmField;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.fuzz.Gauge;
import io.jvmtools.support.ChildJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Classes come and go while an environment stays open, and leave nothing in it. */
class UnloadedWatchesTest {

  private static final int CLASSES = 4_000;

  /** As many are unloaded at a time. */
  private static final int AT_ONCE = 200;

  /** Nothing is looked at before as many more are there as were left. */
  private static final int MOST = 4 * AT_ONCE;

  /** A class with a breakpoint stays: the JVM keeps it. */
  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void whatIsWatchedInThemIsForgotten() {
    ChildJvm.of(Program.class).agent("prepare=debugging").run().succeeds();
  }

  /** What the child runs. */
  static final class Program {

    private Program() {}

    public static void main(String[] args) throws NoSuchFieldException {
      try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_FIELD_ACCESS_EVENTS)) {
        Gauge before = Gauge.read();
        byte[] file = ClassFiles.of(Relay.class);
        for (int i = 1; i <= CLASSES; i++) {
          Class<?> type = new ClassFiles.Loader("short-lived").relay(file, () -> {}).getClass();
          jvmti.watches().setReads(JvmField.of(type.getDeclaredField("next")));
          if (i % AT_ONCE == 0) {
            System.gc();
          }
        }
        assertThat(Gauge.read().weaks() - before.weaks()).isLessThan(MOST);
        assertThat(jvmti.watches().allReads()).isEmpty();
      }
    }
  }
}
