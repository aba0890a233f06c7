package io.jvmtools.oracle.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.OneJdkADay;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Who is told of the first event of a kind waits for no class loader: it may have the lock of a
 * jar, for which another thread waits that is in the class loader: they would wait for each other
 * for ever.
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
