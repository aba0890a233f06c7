package io.jvmtools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.jvmtools.internal.ThreadFacts;
import org.junit.jupiter.api.Test;

class ValuesTest {

  @Test
  void aVersionIsReadFromItsNumberAndOrdered() {
    JvmtiVersion version = JvmtiVersion.of(0x30190203);

    assertThat(version).isEqualTo(new JvmtiVersion(25, 2, 3)).hasToString("25.2.3");
    assertThat(version).isGreaterThan(new JvmtiVersion(17, 9, 9));
  }

  @Test
  void aTimerPrintsItsUnsignedLimit() {
    assertThat(TimerInfo.of(new long[] {-1, 0, 0, 31}))
        .hasToString("TOTAL_CPU, at most 18446744073709551615 ns, never skips");
    assertThat(TimerInfo.of(new long[] {5, 1, 1, 32}))
        .isEqualTo(new TimerInfo(TimerKind.ELAPSED, 5, true, true));
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

  @Test
  void threadFactsComeWithoutWhatIsNoLongerThere() {
    ThreadInfo info = new ThreadInfo(new ThreadFacts("w", 5, true, null, null));

    assertThat(info).hasToString("\"w\" priority 5, daemon");
    assertThat(info.group()).isEmpty();
    assertThat(info.contextClassLoader()).isEmpty();
  }

  @Test
  void aTaggedObjectPrintsWithoutAskingTheObject() {
    Object hostile =
        new Object() {
          @Override
          public String toString() {
            throw new UnsupportedOperationException();
          }
        };

    assertThat(new TaggedObject(hostile, 42).toString()).endsWith(" tagged 42");
    assertThatNullPointerException()
        .isThrownBy(() -> new TaggedObject(null, 1))
        .withMessage("object");
  }
}
