package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two hundred thousand tagged objects are found again: more than JNI lets anybody plan for. */
class ManyObjectsTest {

  private static final int OBJECTS = 200_000;

  @ParameterizedTest
  @EnumSource
  void areTaggedAndFound(WayIn way) {
    // The checks count all local references at each JNI call, which would take minutes.
    way.of(Many.class).withoutJniChecks().run().succeeds();
  }

  static final class Many {

    record Row(int number) {}

    public static void main(String[] args) {
      Set<Row> rows = new HashSet<>();
      try (Jvmti jvmti = Jvmti.open(Capability.CAN_TAG_OBJECTS)) {
        for (int i = 0; i < OBJECTS; i++) {
          Row row = new Row(i);
          rows.add(row);
          jvmti.objects().setTag(row, 42);
        }
        assertThat(new HashSet<>(jvmti.objects().withTag(42, Row.class))).isEqualTo(rows);
      }
    }
  }
}
