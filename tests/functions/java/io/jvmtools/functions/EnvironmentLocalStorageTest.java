package io.jvmtools.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.support.AtOnce;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GetEnvironmentLocalStorage, SetEnvironmentLocalStorage. */
class EnvironmentLocalStorageTest {

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 1, Long.MAX_VALUE, 0})
  void anyNumberIsKept(long value) {
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.localStorage()).isZero();
      jvmti.setLocalStorage(5);
      jvmti.setLocalStorage(value);
      assertThat(jvmti.localStorage()).isEqualTo(value);
    }
  }

  /** Without a capability all of them share one environment of the JVM. */
  @Test
  void eachEnvironmentHasItsOwn() {
    List<Jvmti> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Jvmti one = i % 2 == 0 ? Jvmti.open() : Jvmti.open(Capability.CAN_TAG_OBJECTS);
      one.setLocalStorage(i);
      all.add(one);
    }
    for (int i = 0; i < all.size(); i++) {
      assertThat(all.get(i).localStorage()).isEqualTo(i);
    }
    all.forEach(Jvmti::close);
  }

  @Test
  void itStaysWhenTheEnvironmentGetsOneOfTheJvmOfItsOwn() {
    try (Jvmti jvmti = Jvmti.open()) {
      jvmti.setLocalStorage(7);
      jvmti.add(Capability.CAN_TAG_OBJECTS);
      assertThat(jvmti.localStorage()).isEqualTo(7);
      jvmti.relinquish(Capability.CAN_TAG_OBJECTS);
      assertThat(jvmti.localStorage()).isEqualTo(7);
    }
  }

  /** Places and environments are used again. */
  @Test
  void nothingOfItPassesToTheNextEnvironment() {
    for (int i = 0; i < 200; i++) {
      try (Jvmti jvmti = i % 2 == 0 ? Jvmti.open() : Jvmti.open(Capability.CAN_TAG_OBJECTS)) {
        assertThat(jvmti.localStorage()).isZero();
        jvmti.setLocalStorage(i + 1);
      }
    }
  }

  @Test
  void allThreadsSeeTheSame() throws Exception {
    try (Jvmti jvmti = Jvmti.open()) {
      jvmti.setLocalStorage(77);
      AtOnce.run(4, number -> assertThat(jvmti.localStorage()).isEqualTo(77));
    }
  }

  @Test
  void aClosedEnvironmentHasNone() {
    Jvmti jvmti = Jvmti.open();
    jvmti.setLocalStorage(1);
    jvmti.close();
    assertThatIllegalStateException().isThrownBy(jvmti::localStorage);
    assertThatIllegalStateException().isThrownBy(() -> jvmti.setLocalStorage(2));
    assertThatIllegalStateException()
        .isThrownBy(() -> GeneralNatives.getEnvironmentLocalStorage(-1));
  }
}
