package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.internal.thread.SuspensionNatives;
import io.jvmtools.support.Counting;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What comes out of the action itself, past all that Java catches, as when a thread is stopped. */
class BracketTest {

  private static final long LONG = Duration.ofMinutes(5).toNanos();

  @ParameterizedTest
  @EnumSource
  void itIsThrownOnAndNothingStaysSuspended(WayIn way) {
    way.of(Main.class).run().succeeds();
  }

  static final class Main {
    public static void main(String[] args) {
      NativeLibrary.load();
      Object owner = new Object();
      long env = GeneralNatives.open(owner);
      CapabilitiesNatives.addCapabilities(env, 1L << CAN_SUSPEND.ordinal());
      // Not closed: it would wait for ever if this test failed.
      Counting worker = Counting.platform();
      Thread[] threads = {worker.thread()};

      Error stopped = new ThreadDeath();
      Throwable thrown =
          catchThrowable(
              () ->
                  SuspensionNatives.whileSuspended(
                      env,
                      threads,
                      LONG,
                      Bridge.SUSPEND_SOME,
                      new int[1],
                      () -> {
                        throw stopped;
                      }));
      assertThat(thrown).isSameAs(stopped);
      worker.runs();

      AtomicInteger runs = new AtomicInteger();
      thrown =
          catchThrowable(
              () ->
                  SuspensionNatives.whileSuspended(
                      env, threads, LONG, Bridge.SUSPEND_SOME, new int[0], runs::incrementAndGet));
      assertThat(thrown).as("there is no room for the answers").isNotNull();
      assertThat(runs).hasValue(0);
      worker.runs();
      GeneralNatives.close(env);
    }
  }
}
