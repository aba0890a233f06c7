package io.jvmtools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class ValuesTest {

  @Test
  void aVersionIsReadFromItsNumberAndOrdered() {
    JvmtiVersion version = JvmtiVersion.of(0x30190203);

    assertThat(version).isEqualTo(new JvmtiVersion(25, 2, 3)).hasToString("25.2.3");
    assertThat(version).isGreaterThan(new JvmtiVersion(17, 9, 9));
  }

  @Test
  void aNumberOfANewerJvmIsNamed() {
    assertThat(Phase.of(6)).isEqualTo(Phase.START);
    assertThatIllegalStateException().isThrownBy(() -> Phase.of(16)).withMessageContaining("16");
  }

  @Test
  void anErrorHasANumberAndANameIfItIsKnown() {
    assertThat(JvmtiError.of(15)).hasToString("JVMTI_ERROR_THREAD_NOT_ALIVE (15)");
    assertThat(JvmtiError.of(9999)).hasToString("JVMTI_ERROR_UNKNOWN (9999)");
    assertThat(JvmtiError.of(9999).isKnown()).isFalse();
  }
}
