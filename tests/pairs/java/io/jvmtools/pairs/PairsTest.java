package io.jvmtools.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.fuzz.Target;
import io.jvmtools.fuzz.Targets;
import org.junit.jupiter.api.Test;

/** That {@code ./dev pairs} has everything; it is run by hand. */
class PairsTest {

  @Test
  void whatIsLeftOutIsThere() {
    assertThat(Targets.all().stream().filter(Operations::entersTheVm).map(Target::toString))
        .containsAll(Operations.LEFT_OUT.keySet());
  }

  @Test
  void allDoorsHavePairs() {
    assertThat(Pair.all().stream().map(Pair::doors)).contains(Doors.values());
  }
}
