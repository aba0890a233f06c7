package io.jvmtools.system;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TimerInfoTest {

  @Test
  void aTimerPrintsItsUnsignedLimit() {
    assertThat(TimerInfo.of(new long[] {-1, 0, 0, 31}))
        .hasToString("TOTAL_CPU, at most 18446744073709551615 ns, never skips");
    assertThat(TimerInfo.of(new long[] {5, 1, 1, 32}))
        .isEqualTo(new TimerInfo(TimerKind.ELAPSED, 5, true, true));
  }
}
