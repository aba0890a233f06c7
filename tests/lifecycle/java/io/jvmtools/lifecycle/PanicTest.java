package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.JvmTools;
import io.jvmtools.Phase;
import io.jvmtools.internal.SelfTestNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A panic of the release library is an error of the caller's, and the process lives. */
class PanicTest {

  @ParameterizedTest
  @EnumSource
  void isAnInternalErrorWithItsMessage(WayIn way) {
    way.of(Panic.class).run().succeeds();
  }

  static final class Panic {
    public static void main(String[] args) {
      NativeLibrary.load();
      for (int i = 0; i < 100; i++) {
        String message = "planned panic " + i + ", with \u00e4, \ud83d\ude00 and \0";
        assertThatThrownBy(() -> SelfTestNatives.panic(message))
            .isExactlyInstanceOf(InternalError.class)
            .hasMessageContaining(message);
        assertThat(JvmTools.getPhase()).isEqualTo(Phase.LIVE);
      }
    }
  }
}
