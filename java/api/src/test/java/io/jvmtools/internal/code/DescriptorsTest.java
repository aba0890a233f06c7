package io.jvmtools.internal.code;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptorsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "()V                        | ()",
        "(ZBCSIJFD)V                | (boolean, byte, char, short, int, long, float, double)",
        "(Ljava/lang/String;[[I)J   | (java.lang.String, int[][])",
        "([Ljava/util/Map$Entry;Z)V | (java.util.Map$Entry[], boolean)",
        "broken                     | broken",
        "(Lbroken)V                 | (Lbroken)V",
      })
  void readsLikeADeclaration(String descriptor, String parameters) {
    assertThat(Descriptors.parameters(descriptor)).isEqualTo(parameters);
  }
}
