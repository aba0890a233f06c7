package io.jvmtools.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What does not run each time has its turn on each JDK. */
class OneJdkADayTest {

  private static final List<String> JDKS = List.of("jdk17", "jdk21", "jdk25");

  @Test
  void inAsManyDaysAsThereAreJdksEachIsTheOne() {
    for (int first : new int[] {0, 1, 20_000}) {
      for (Class<?> test : List.of(OneJdkADayTest.class, String.class, JDKS.getClass())) {
        assertThat(IntStream.range(0, 3).mapToObj(i -> OneJdkADay.Turn.of(test, JDKS, first + i)))
            .as("%s from %d on", test, first)
            .containsExactlyInAnyOrderElementsOf(JDKS);
      }
    }
  }

  @Test
  void aJdkThatIsMissingHasNoTurn() {
    assertThat(OneJdkADay.Turn.of(OneJdkADayTest.class, List.of("jdk17"), 1)).isEqualTo("jdk17");
  }
}
