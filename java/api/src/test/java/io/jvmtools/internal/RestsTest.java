package io.jvmtools.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RestsTest {

  private static final long REST = TimeUnit.MILLISECONDS.toNanos(5);

  @Test
  void whoIsInterruptedRestsAsLongAndStaysInterrupted() {
    long before = System.nanoTime();
    Thread.currentThread().interrupt();
    Rests.forNanos(REST);
    boolean wasInterrupted = Thread.interrupted();

    assertThat(wasInterrupted).isTrue();
    assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(REST);
  }

  @Test
  void whoIsNotInterruptedIsNotAfterwards() {
    Rests.forNanos(REST);

    assertThat(Thread.interrupted()).isFalse();
  }
}
