package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.OneJdkADay;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * All that a debugger does, to a database that is busy meanwhile: it goes on, and is right. {@link
 * DebuggedDatabase} does so as often as its argument says.
 */
@OneJdkADay
class DebuggedDatabaseTest {

  private static final int TIMES = 10;

  @Test
  void itGoesOnAndIsRight() throws Exception {
    ChildResult run =
        ChildJvm.of(DebuggedDatabase.class)
            .agent("prepare=debugging")
            .args(String.valueOf(TIMES))
            .run()
            .succeeds();
    Map<String, Long> counts = new TreeMap<>();
    for (String line : run.outLines()) {
      String[] words = line.split(" ");
      counts.put(words[0], Long.valueOf(words[1]));
    }
    assertThat(counts)
        .containsKeys("breakpoints", "locals", "popped", "redefined", "retransformed", "returned")
        .containsKeys("looks", "transfers")
        .allSatisfy((what, count) -> assertThat(count).as(what).isGreaterThanOrEqualTo(TIMES));
  }
}
