package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpConsistency;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.support.Parked;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads that suspend all others do so one after the other: none runs into its deadline. */
@OneJdkADay
class ConcurrentSuspensionsTest {

  private static final int ROUNDS = 50;

  /** Far longer than all of them need. */
  private static final Duration LONG = Duration.ofSeconds(20);

  /** What the threads do at once. */
  enum Mix {
    DUMPS_BY_STATIC_DOOR,
    DUMPS,
    ACTIONS,
    DUMPS_AND_ACTIONS
  }

  @ParameterizedTest
  @EnumSource
  void fourThreadsAreAllInTime(Mix mix) {
    WayIn.JAR.of(AtOnceForLong.class).args(mix.name()).run().succeeds();
  }

  @ParameterizedTest
  @EnumSource
  void alsoUnderTheAgent(Mix mix) {
    WayIn.AGENT.of(AtOnceForLong.class).args(mix.name()).run().succeeds();
  }

  static final class AtOnceForLong {

    private static final int THREADS = 4;
    private static final AtomicInteger INSIDE = new AtomicInteger();

    public static void main(String[] args) throws Exception {
      Mix mix = Mix.valueOf(args[0]);
      for (int i = 0; i < 10; i++) {
        Parked.inWait();
      }
      if (mix == Mix.DUMPS_BY_STATIC_DOOR) {
        AtOnce.run(THREADS, number -> repeat(() -> check(JvmTools.threadDump())));
        return;
      }
      try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
        AtOnce.run(
            THREADS,
            number -> {
              boolean dumps = mix == Mix.DUMPS || mix == Mix.DUMPS_AND_ACTIONS && number % 2 == 0;
              repeat(dumps ? () -> check(jvmti.dumps().take(LONG)) : () -> act(jvmti));
            });
      }
    }

    private static void repeat(Runnable once) {
      for (int round = 0; round < ROUNDS; round++) {
        once.run();
      }
    }

    private static void check(ThreadDump dump) {
      assertThat(dump.consistency()).as("" + dump).isEqualTo(DumpConsistency.SUSPENDED);
    }

    /** Too late it would be an exception. */
    private static void act(Jvmti jvmti) {
      int most = jvmti.threads().withOthersSuspended(LONG, AtOnceForLong::insideAtOnce);
      assertThat(most).as("actions at once").isOne();
    }

    private static int insideAtOnce() {
      int inside = INSIDE.incrementAndGet();
      Thread.yield();
      INSIDE.decrementAndGet();
      return inside;
    }
  }
}
