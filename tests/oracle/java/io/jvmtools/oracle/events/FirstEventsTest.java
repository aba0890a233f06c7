package io.jvmtools.oracle.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.OneJdkADay;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The first event of a kind loads no class. Whoever is told of one may have the lock of a jar, for
 * which another thread waits that loads the same class: they would wait for each other for ever.
 */
@OneJdkADay
class FirstEventsTest {

  @Test
  void theFirstEventLoadsNoClass() {
    Map<String, String> loaded =
        EventOracleTest.told(EventOracleTest.child(FirstEvents.class).agent(""));
    assertThat(loaded).hasSizeGreaterThan(20);
    assertThat(loaded).allSatisfy((kind, classes) -> assertThat(classes).isEqualTo("[]"));
  }
}
