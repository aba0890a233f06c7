package io.jvmtools.functions.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.ChildJvm;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GetSystemProperties, GetSystemProperty. */
class SystemPropertiesTest {

  /** Whatever they were when the JVM started they still are. */
  private static final String[] OF_THE_VM = {
    "java.home", "java.vm.name", "java.vm.vendor", "java.vm.version", "java.vm.specification.name"
  };

  @Test
  void propertiesOfTheCommandLineHaveTheValuesThatItGave() {
    Map<String, String> given = new TreeMap<>();
    for (String argument : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (argument.startsWith("-D")) {
        String[] pair = argument.substring(2).split("=", 2);
        given.put(pair[0], pair.length > 1 ? pair[1] : "");
      }
    }
    assertThat(given).isNotEmpty();
    assertThat(JvmTools.getSystemProperties()).containsAllEntriesOf(given);
    try (Jvmti jvmti = Jvmti.open()) {
      given.forEach((name, value) -> assertThat(jvmti.system().property(name)).hasValue(value));
    }
  }

  @Test
  void propertiesOfTheVmAreThoseThatJavaHasFromIt() {
    Map<String, String> properties = JvmTools.getSystemProperties();
    for (String name : OF_THE_VM) {
      assertThat(properties).containsEntry(name, System.getProperty(name));
      assertThat(JvmTools.getSystemProperty(name)).hasValue(System.getProperty(name));
    }
  }

  @Test
  void eachNameHasItsValueAndNoneComesTwice() {
    try (Jvmti jvmti = Jvmti.open()) {
      assertThat(jvmti.system().propertyNames())
          .doesNotHaveDuplicates()
          .containsAll(jvmti.system().properties().keySet());
      assertThat(jvmti.system().properties().keySet())
          .containsExactlyElementsOf(
              jvmti.system().propertyNames().stream()
                  .filter(name -> jvmti.system().property(name).isPresent())
                  .toList());
    }
  }

  @Test
  void whatAProgramSetsIsNotSeen() {
    String name = "jvmtools.test.set.by.program";
    System.setProperty(name, "value");
    try {
      assertThat(JvmTools.getSystemProperty(name)).isEmpty();
      assertThat(JvmTools.getSystemProperties()).doesNotContainKey(name);
    } finally {
      System.clearProperty(name);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\0", "java.home\0", "no.such", "\ud800", "\ud83d\ude00", "java.hom"})
  void aNameThatThereIsNotHasNoValue(String name) {
    assertThat(JvmTools.getSystemProperty(name)).isEmpty();
  }

  @Test
  void aVeryLongNameHasNoValue() {
    assertThat(JvmTools.getSystemProperty("java.home".repeat(100_000))).isEmpty();
  }

  @Test
  void nullIsRefusedByNameAndAClosedEnvironmentForWhatItIs() {
    Jvmti jvmti = Jvmti.open();
    assertThatNullPointerException()
        .isThrownBy(() -> jvmti.system().property(null))
        .withMessage("name");
    jvmti.close();
    assertThatIllegalStateException().isThrownBy(() -> jvmti.system().propertyNames());
    assertThatIllegalStateException().isThrownBy(() -> jvmti.system().properties());
    assertThatIllegalStateException().isThrownBy(() -> jvmti.system().property("\0"));
  }

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "its command lines are in a code page")
  void namesAndValuesAreThoseOfACommandLineInUtf8() {
    ChildJvm.of(Foreign.class)
        .environment("LC_ALL", "C.UTF-8")
        .jvmArgs("-D" + Foreign.NAME + "=" + Foreign.VALUE)
        .run()
        .succeeds();
  }

  static final class Foreign {
    static final String NAME = "\u00e4\ud83d\ude00\u4e2d";
    static final String VALUE = "\ud83d\ude00 = \u00fc, \u4e2d";

    public static void main(String[] args) {
      assertThat(JvmTools.getSystemProperty(NAME)).hasValue(VALUE);
      assertThat(JvmTools.getSystemProperties()).containsEntry(NAME, VALUE);
    }
  }
}
