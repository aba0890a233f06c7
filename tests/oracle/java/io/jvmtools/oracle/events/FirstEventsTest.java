package io.jvmtools.oracle.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.OneJdkADay;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The first event of a kind asks no class loader for a name. Whoever is told of one may have the
 * lock of a jar, for which another thread waits that is in the class loader: they would wait for
 * each other for ever.
 */
@OneJdkADay
class FirstEventsTest {

  @Test
  void theFirstEventAsksForNoName() {
    Map<String, String> asked =
        EventOracleTest.told(EventOracleTest.child(FirstEvents.class).agent(""));
    assertThat(asked).hasSizeGreaterThan(20);
    assertThat(asked).allSatisfy((kind, names) -> assertThat(names).isEqualTo("[]"));
  }
}
