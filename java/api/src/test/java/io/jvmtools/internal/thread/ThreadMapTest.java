package io.jvmtools.internal.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadMapTest {

  @Test
  void keepsTheOrderAndCallsNoMethodOfTheThreads() {
    Thread first = new Unhashable();
    Thread second = new Unhashable();
    ThreadMap<String> map = new ThreadMap<>();
    map.put(first, "a");
    map.put(second, "b");
    map.put(first, "c");
    assertThat(map.size()).isEqualTo(2);
    assertThat(map.get(first)).isEqualTo("c");
    assertThat(map.get(second)).isEqualTo("b");
    assertThat(map.get(new Unhashable())).isNull();
    assertThat(map.containsKey(second)).isTrue();
    assertThat(new ArrayList<>(map.values())).isEqualTo(List.of("c", "b"));
  }

  private static final class Unhashable extends Thread {
    @Override
    public int hashCode() {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean equals(Object other) {
      throw new UnsupportedOperationException();
    }
  }
}
