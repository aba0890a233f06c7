package io.jvmtools.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class NanosTest {

  @Test
  void whatIsTooLongIsAsLongAsANumberCanSay() {
    assertThat(Nanos.of(Duration.ofMillis(-3))).isEqualTo(-3_000_000);
    assertThat(Nanos.of(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
    assertThat(Nanos.of(Duration.ofSeconds(Long.MIN_VALUE))).isEqualTo(Long.MIN_VALUE);
  }
}
