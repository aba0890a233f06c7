package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.StalledException;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Another agent calls the library from its callback of ThreadStart, also on our own threads. */
class StewardCallsTest {

  @ParameterizedTest
  @EnumSource
  void aThreadOfOursDoesNotWaitForItself(WayIn way) {
    way.of(Callbacks.class)
        .agent(Installation.root().resolve("build/libcaller.so"), "")
        .run()
        .succeeds();
  }

  static final class Callbacks {

    /** What a bounded wait would be told by. */
    private static final Duration LONG = Duration.ofSeconds(4);

    private static final Parked VICTIM = Parked.inPark();
    private static final Map<String, RuntimeException> REFUSED = new ConcurrentHashMap<>();
    private static final Map<String, Duration> INSIDE = new ConcurrentHashMap<>();

    private static native void arm();

    public static void main(String[] args) {
      JvmTools.getThreadState(VICTIM.thread());
      System.load(Installation.root().resolve("build/libcaller.so").toString());
      arm();
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        jvmti.threads().withSuspended(VICTIM.thread(), Duration.ofMinutes(1), () -> null);
        JvmTools.threadDump();
      }
      assertThat(INSIDE).containsKeys("jvmtools-steward", "jvmtools-watchdog");
      INSIDE.forEach((thread, inside) -> assertThat(inside).as(thread).isLessThan(LONG));
      assertThat(REFUSED.get("jvmtools-steward"))
          .isInstanceOf(StalledException.class)
          .hasMessageContaining("jvmtools-steward would wait for itself");
    }

    /** Called by the agent. */
    @SuppressWarnings("unused")
    static void started(Thread thread) {
      String name = thread.getName();
      if (!name.startsWith("jvmtools-")) {
        return;
      }
      long start = System.nanoTime();
      try {
        JvmTools.getThreadState(VICTIM.thread());
        JvmTools.suspendThread(VICTIM.thread());
        JvmTools.resumeThread(VICTIM.thread());
      } catch (RuntimeException refused) {
        REFUSED.put(name, refused);
      }
      INSIDE.put(name, Duration.ofNanos(System.nanoTime() - start));
    }
  }
}
