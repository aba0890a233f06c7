package io.jvmtools.internal.code;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineTableTest {

  @Test
  void aLineHoldsUntilTheNextStart() {
    LineTable table = LineTable.of(new int[] {0, 10, 4, 11, 9, 12});

    assertThat(table.line(0)).hasValue(10);
    assertThat(table.line(3)).hasValue(10);
    assertThat(table.line(4)).hasValue(11);
    assertThat(table.line(9)).hasValue(12);
    assertThat(table.line(65534)).hasValue(12);
  }

  @Test
  void theEntriesMayComeInAnyOrder() {
    LineTable table = LineTable.of(new int[] {9, 12, 0, 10, 4, 11});

    assertThat(table.line(2)).hasValue(10);
    assertThat(table.line(8)).hasValue(11);
    assertThat(table.line(10)).hasValue(12);
  }

  @Test
  void thereIsNoLineBeforeTheFirstStart() {
    assertThat(LineTable.of(new int[] {5, 10}).line(4)).isEmpty();
    assertThat(LineTable.of(new int[] {5, 10}).line(-1)).isEmpty();
  }

  @Test
  void anEmptyTableHasNoLines() {
    assertThat(LineTable.of(new int[0]).line(0)).isEmpty();
  }

  @Test
  void ofEntriesWithOneStartTheFirstWinsThereAndTheLastAfterIt() {
    LineTable table = LineTable.of(new int[] {0, 1, 5, 2, 5, 3, 9, 4});

    assertThat(table.line(5)).hasValue(2);
    assertThat(table.line(6)).hasValue(3);
  }
}
