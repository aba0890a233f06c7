package io.jvmtools.pairs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * As many calls as a moment allows of a share of the operations, another one each day; {@code ./dev
 * growth} makes ten thousand of each.
 */
class GrowthTest {

  private static final int CALLS = 10_000;
  private static final int MOMENT_MILLIS = 50;
  private static final int SHARES = 8;

  @Test
  void nothingGrows() {
    List<String> told = new ArrayList<>();
    List<String> failures =
        GrowthRun.of(
            Setup.AGENT, CALLS, MOMENT_MILLIS, Share.ofToday(SHARES), List.of(), told::add);
    assertThat(failures).as(String.join("\n", told)).isEmpty();
    assertThat(told).anyMatch(line -> line.contains(" calls, "));
  }
}
