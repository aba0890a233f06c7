package io.jvmtools.thread;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.internal.thread.ThreadFacts;
import org.junit.jupiter.api.Test;

class ThreadInfoTest {

  @Test
  void threadFactsComeWithoutWhatIsNoLongerThere() {
    ThreadInfo info = new ThreadInfo(new ThreadFacts("w", 5, true, null, null));

    assertThat(info).hasToString("\"w\" priority 5, daemon");
    assertThat(info.group()).isEmpty();
    assertThat(info.contextClassLoader()).isEmpty();
  }
}
