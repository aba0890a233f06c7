package io.jvmtools.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.JvmtiVersion;
import io.jvmtools.LocationFormat;
import io.jvmtools.Phase;
import io.jvmtools.VerboseFlag;
import io.jvmtools.support.Spec;
import io.jvmtools.system.TimerKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GeneralTest {

  @Test
  void versionIsThatOfTheSpecificationThisJdkImplements() {
    int feature = Integer.parseInt(System.getProperty("java.specification.version"));
    assertThat(JvmTools.getVersionNumber()).isEqualTo(new JvmtiVersion(feature, 0, 0));
    assertThat(JvmTools.getVersionNumber()).hasToString(feature + ".0.0");
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.version()).isEqualTo(JvmTools.getVersionNumber());
    }
  }

  @Test
  void versionsAreOrderedNumberByNumber() {
    assertThat(
            List.of(
                new JvmtiVersion(9, 0, 0),
                new JvmtiVersion(17, 0, 9),
                new JvmtiVersion(17, 1, 0),
                new JvmtiVersion(21, 0, 0)))
        .isSorted();
  }

  @Test
  void phaseIsLive() {
    assertThat(JvmTools.getPhase()).isEqualTo(Phase.LIVE);
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.phase()).isEqualTo(Phase.LIVE);
    }
  }

  @Test
  void locationsAreBytecodeIndexes() {
    assertThat(JvmTools.getJLocationFormat()).isEqualTo(LocationFormat.JVMBCI);
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.locationFormat()).isEqualTo(LocationFormat.JVMBCI);
    }
  }

  static List<Map<String, String>> errors() {
    return Spec.rows("errors");
  }

  @ParameterizedTest
  @MethodSource("errors")
  void errorHasTheNameOfTheSpecification(Map<String, String> row) {
    int number = Integer.parseInt(row.get("number"));
    assertThat(JvmtiError.of(number).name()).isEqualTo(row.get("name"));
    assertThat(JvmtiError.of(number).isKnown()).isTrue();
    if (Spec.isHere(row)) {
      assertThat(JvmTools.getErrorName(number)).isEqualTo(row.get("name"));
      try (Jvmti jvmti = Jvmti.open()) {
        assertThat(jvmti.errorName(number)).isEqualTo(row.get("name"));
      }
    } else {
      assertIsUnknown(number);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 17, 9999, -1, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void unknownErrorHasNoName(int number) {
    assertIsUnknown(number);
    assertThat(JvmtiError.of(number))
        .isEqualTo(new JvmtiError(number, "JVMTI_ERROR_UNKNOWN"))
        .hasToString("JVMTI_ERROR_UNKNOWN (" + number + ")");
    assertThat(JvmtiError.of(number).isKnown()).isFalse();
  }

  @Test
  void enumConstantsAreThoseOfTheSpecification() {
    assertThat(names(Phase.values())).containsExactlyElementsOf(constants("jvmtiPhase"));
    assertThat(names(LocationFormat.values()))
        .containsExactlyInAnyOrderElementsOf(constants("jvmtiJlocationFormat"));
    assertThat(names(TimerKind.values())).containsExactlyElementsOf(constants("jvmtiTimerKind"));
    assertThat(names(VerboseFlag.values()))
        .containsExactlyInAnyOrderElementsOf(constants("jvmtiVerboseFlag"));
  }

  private static void assertIsUnknown(int number) {
    assertThatExceptionOfType(JvmtiException.class)
        .isThrownBy(() -> JvmTools.getErrorName(number))
        .withMessage(
            "GetErrorName: JVMTI_ERROR_ILLEGAL_ARGUMENT (103): the JVM knows no error with this"
                + " number")
        .satisfies(
            e -> {
              assertThat(e).isExactlyInstanceOf(JvmtiException.class);
              assertThat(e.function()).isEqualTo("GetErrorName");
              assertThat(e.code()).isEqualTo(103);
              assertThat(e.error()).isEqualTo(JvmtiError.of(103));
            });
  }

  private static List<String> names(Enum<?>[] values) {
    return List.of(values).stream().map(Enum::name).toList();
  }

  private static List<String> constants(String group) {
    String prefix =
        Spec.rows("constant-groups").stream()
            .filter(row -> row.get("group").equals(group))
            .findFirst()
            .orElseThrow()
            .get("prefix");
    return Spec.rows("constants").stream()
        .filter(row -> row.get("group").equals(group))
        .map(row -> row.get("name").substring(prefix.length()))
        .toList();
  }
}
