package io.jvmtools.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.internal.thread.OwnedMonitorFacts;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class OwnedMonitorTest {

  private final Object one = new Object();
  private final Object two = new Object();

  @Test
  void monitorsThatNativeCodeEnteredHaveNoDepth() {
    assertThat(read(0, 4, -1))
        .containsExactly(
            new OwnedMonitor(one, OptionalInt.of(4)), new OwnedMonitor(two, OptionalInt.empty()));
  }

  @Test
  void ownFramesAreNotCounted() {
    assertThat(read(3, 3, -1))
        .containsExactly(
            new OwnedMonitor(one, OptionalInt.of(0)), new OwnedMonitor(two, OptionalInt.empty()));
  }

  @Test
  void listCannotBeChanged() {
    List<OwnedMonitor> monitors = read(0, 1, 2);
    assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(monitors::clear);
  }

  @Test
  void printsWhoEnteredIt() {
    String identity = "java.lang.Object@" + Integer.toHexString(System.identityHashCode(one));
    assertThat(new OwnedMonitor(one, OptionalInt.of(2)))
        .hasToString(identity + " entered at depth 2");
    assertThat(new OwnedMonitor(one, OptionalInt.empty()))
        .hasToString(identity + " entered by native code");
  }

  private List<OwnedMonitor> read(int ownFrames, int... depths) {
    return Monitors.list(new OwnedMonitorFacts(new Object[] {one, two}, depths), ownFrames);
  }
}
