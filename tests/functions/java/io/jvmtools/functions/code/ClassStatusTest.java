package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.code.ClassStatus;
import io.jvmtools.support.Spec;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The value alone; what classes have is {@link ClassesTest}'s. */
class ClassStatusTest {

  @Test
  void flagsAreThoseOfTheSpecification() {
    Map<String, Integer> bits = new HashMap<>();
    for (Map<String, String> row : Spec.rows("constants")) {
      if (row.get("group").equals("jvmtiClassStatus")) {
        String name = row.get("name").replace("JVMTI_CLASS_STATUS_", "");
        bits.put(name, Integer.decode(row.get("value")));
      }
    }
    assertThat(ClassStatus.Flag.values()).extracting(Enum::name).hasSameElementsAs(bits.keySet());
    bits.forEach(
        (name, bit) ->
            assertThat(ClassStatus.of(bit).flags())
                .containsExactly(ClassStatus.Flag.valueOf(name)));
  }

  @Test
  void whatIsNotKnownIsKeptAndPrinted() {
    ClassStatus status = ClassStatus.of(0x103);
    assertThat(status).hasToString("verified, prepared, 0x100");
    assertThat(status.bits()).isEqualTo(0x103);
    assertThat(status).isEqualTo(ClassStatus.of(0x103)).isNotEqualTo(ClassStatus.of(0x3));
    assertThat(status).hasSameHashCodeAs(ClassStatus.of(0x103));
  }
}
