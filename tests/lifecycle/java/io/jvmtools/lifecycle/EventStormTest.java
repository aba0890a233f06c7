package io.jvmtools.lifecycle;

import io.jvmtools.support.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A share of {@code ./dev storm}. */
class EventStormTest {

  private static final String MILLIS = "1000";

  @ParameterizedTest
  @EnumSource
  void everyEventAtOnceHarmsNobody(WayIn way) {
    way.of(EventStorm.class).args(MILLIS).run().succeeds();
  }

  @Test
  void whatHasToBePreparedHarmsNobodyEither() {
    ChildJvm.of(EventStorm.class).agent(Storms.PREPARED).args(MILLIS).run().succeeds();
  }
}
