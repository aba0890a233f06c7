package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GENERATE_EXCEPTION_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_FIELD_ACCESS_EVENTS;
import static io.jvmtools.Capability.CAN_POP_FRAME;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.Phase;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be written after {@code -agentpath:…=}. */
class AgentOptionsTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nonsense              | 'nonsense' is not key=value: known are prepare, hold, run,"
            + " property",
        "prepare               | 'prepare' is not key=value: such as prepare=debugging+tracing",
        "log=x                 | unknown option 'log'",
        "prepare=can_fly       | 'prepare' names no capability 'can_fly'",
        "prepare=              | 'prepare' names no capability ''",
        "prepare=can_suspnd    | 'prepare' names no capability 'can_suspnd': did you mean"
            + " can_suspend?",
        "hold=debugging        | 'debugging', but a group, which is for prepare: name capabilities",
        "hold=suspend          | 'hold' names no capability 'suspend': did you mean can_suspend?",
        "run=A,run=B           | 'run' is given twice",
        "run=a/b               | option 'run' takes the name of a class",
        "run=no.Such           | option 'run': 'no.Such' has no public static void main(String[])",
        "run=java.lang.String  | option 'run': 'java.lang.String' has no public static void main",
        "run=io.jvmtools.lifecycle.AgentOptionsTest$Hidden | main is not public",
        "property=java.home    | option 'property' takes a name and a value",
        "property==x           | option 'property' takes a name and a value",
        "property=no.such=x    | option 'property': this VM does not let 'no.such' be set: it must",
        "property=java.vm.name=x | option 'property': this VM lets nobody set 'java.vm.name'",
        "hold=can_suspend,log= | unknown option 'log'",
        "record=class_load+gc  | option 'record' names no early event 'gc': there are class_file_",
        "record=               | option 'record' names no early event '': there are class_file_",
      })
  void aWrongOptionFailsTheStartWithOneLine(String options, String complaint) {
    ChildResult result = ChildJvm.of(Main.class).agent(options).run().fails();
    result.out().noneMatch(line -> line.equals("main"));
    result
        .err()
        .filteredOn(line -> line.startsWith("jvmtools: "))
        .singleElement()
        .asString()
        .contains(complaint);
  }

  static final class Hidden {
    static void main(String[] args) {
      System.out.println("never");
    }
  }

  static final class Main {
    public static void main(String[] args) {
      System.out.println("main");
    }
  }

  @Test
  void aPreparedCapabilityIsObtainableLater() {
    ChildJvm.of(Prepared.class)
        .agent("prepare=can_generate_exception_events")
        .run()
        .succeeds()
        .err()
        .isEmpty();
  }

  static final class Prepared {
    public static void main(String[] args) {
      for (int i = 0; i < 2; i++) {
        try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_EXCEPTION_EVENTS)) {
          assertThat(jvmti.capabilities().held()).containsExactly(CAN_GENERATE_EXCEPTION_EVENTS);
        }
      }
    }
  }

  @Test
  void aCostlyCapabilityIsNotPreparedUnlessNamed() {
    ChildJvm.of(Unprepared.class).agent("").run().succeeds().err().isEmpty();
  }

  static final class Unprepared {
    public static void main(String[] args) {
      MissingCapabilityException missing =
          catchThrowableOfType(
              MissingCapabilityException.class, () -> Jvmti.open(CAN_GENERATE_EXCEPTION_EVENTS));
      assertThat(missing.reason()).isEqualTo(Reason.NEEDS_AGENT_AT_START);
      assertThat(missing).hasMessageContaining("prepare=can_generate_exception_events");
      missing =
          catchThrowableOfType(
              MissingCapabilityException.class,
              () -> Jvmti.open(CAN_TAG_OBJECTS, CAN_POP_FRAME, CAN_GENERATE_EXCEPTION_EVENTS));
      assertThat(missing.capability()).isEqualTo(CAN_POP_FRAME);
      assertThat(missing)
          .hasMessageContaining("CAN_POP_FRAME and CAN_GENERATE_EXCEPTION_EVENTS can be obtained")
          .hasMessageContaining(" and prepares them (prepare=debugging is for all that")
          .hasMessageEndingWith("=prepare=can_pop_frame+can_generate_exception_events");
    }
  }

  @Test
  void withoutTheAgentTheRemedyIsTheAgent() {
    ChildJvm.of(NoAgent.class).run().succeeds();
  }

  static final class NoAgent {
    public static void main(String[] args) {
      MissingCapabilityException missing =
          catchThrowableOfType(
              MissingCapabilityException.class, () -> Jvmti.open(CAN_GENERATE_EXCEPTION_EVENTS));
      assertThat(missing.reason()).isEqualTo(Reason.NEEDS_AGENT_AT_START);
      assertThat(missing)
          .hasMessageContaining("-agentpath:")
          .hasMessageContaining("=prepare=can_generate_exception_events");
      try (Jvmti jvmti = Jvmti.open()) {
        assertThat(jvmti.capabilities().onlyAtStart()).hasSizeBetween(17, 18);
        for (Capability capability : jvmti.capabilities().onlyAtStart()) {
          assertThat(
                  catchThrowableOfType(
                      MissingCapabilityException.class, () -> jvmti.add(capability)))
              .hasMessageContaining("-agentpath:");
        }
        assertThat(jvmti.capabilities().held()).isEmpty();
      }
    }
  }

  @Test
  void aHeldCapabilityIsLentToOurOwnEnvironments() {
    ChildJvm.of(Held.class).agent("hold=can_suspend").run().succeeds().err().isEmpty();
  }

  static final class Held {
    public static void main(String[] args) {
      try (Jvmti other = Jvmti.open()) {
        for (int i = 0; i < 3; i++) {
          assertThat(other.capabilities().obtainable()).contains(CAN_SUSPEND);
          try (Jvmti borrower = Jvmti.open(CAN_SUSPEND)) {
            assertThat(borrower.capabilities().held()).containsExactly(CAN_SUSPEND);
            assertThat(other.capabilities().heldByOther()).containsExactly(CAN_SUSPEND);
            borrower.relinquish(CAN_SUSPEND);
            assertThat(borrower.capabilities().obtainable()).contains(CAN_SUSPEND);
            borrower.add(CAN_SUSPEND);
          }
        }
      }
    }
  }

  @Test
  void aHeldCapabilityThatOneOfOursHasIsNotSaidToBeUnprepared() {
    ChildJvm.of(HeldByOne.class).agent("hold=can_generate_field_access_events").run().succeeds();
  }

  static final class HeldByOne {
    public static void main(String[] args) {
      try (Jvmti holder = Jvmti.open(CAN_GENERATE_FIELD_ACCESS_EVENTS)) {
        assertThat(holder.isOpen()).isTrue();
        assertThatExceptionOfType(MissingCapabilityException.class)
            .isThrownBy(() -> Jvmti.open(CAN_GENERATE_FIELD_ACCESS_EVENTS))
            .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.HELD_BY_ANOTHER_ENVIRONMENT));
      }
    }
  }

  /** SetSystemProperty: before the JVM starts, and only what is there already. */
  @Test
  void aPropertyIsSetBeforeTheJvmReadsIt() {
    ChildJvm.of(PropertiesSet.class)
        .jvmArgs("-Djvmtools.test.given=by -D", "-Djvmtools.test.empty=no")
        .agent(
            "property=jvmtools.test.given=first,property=java.library.path=/a=b"
                + ",property=jvmtools.test.given=by the agent,property=jvmtools.test.empty=")
        .run()
        .succeeds()
        .err()
        .isEmpty();
  }

  static final class PropertiesSet {
    public static void main(String[] args) {
      Map<String, String> expected =
          Map.of(
              "jvmtools.test.given", "by the agent",
              "jvmtools.test.empty", "",
              "java.library.path", "/a=b");
      expected.forEach(
          (name, value) -> {
            assertThat(System.getProperty(name)).isEqualTo(value);
            assertThat(JvmTools.getSystemProperty(name)).hasValue(value);
          });
    }
  }

  @Test
  void theClassToRunRunsBeforeMain() {
    ChildResult result =
        ChildJvm.of(Main.class).agent("run=" + Early.class.getName()).run().succeeds();
    result.out().containsExactly("early: 0 arguments, LIVE", "main");
    result.err().isEmpty();
  }

  static final class Early {
    public static void main(String[] args) {
      Phase phase = JvmTools.getPhase();
      System.out.println("early: " + args.length + " arguments, " + phase);
    }
  }

  @Test
  void whatTheClassThrowsIsDescribedAndTheApplicationStarts() {
    ChildResult result =
        ChildJvm.of(Main.class).agent("run=" + Failing.class.getName()).run().succeeds();
    result.out().containsExactly("main");
    result.err().anyMatch(line -> line.contains("planned failure"));
  }

  static final class Failing {
    public static void main(String[] args) {
      throw new IllegalStateException("planned failure");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"IllegalStateException", "NoClassDefFoundError", "NoSuchMethodError"})
  void soIsWhatItsInitialiserThrows(String thrown) {
    ChildResult result =
        ChildJvm.of(Main.class)
            .agent("run=" + FailingFirst.class.getName())
            .jvmArgs("-Dthrown=" + thrown)
            .run()
            .succeeds();
    result.out().containsExactly("main");
    result
        .err()
        .anyMatch(line -> line.contains(thrown) && line.contains("planned failure"))
        .noneMatch(line -> line.startsWith("jvmtools: "));
  }

  static final class FailingFirst {

    static {
      fail(System.getProperty("thrown"));
    }

    private static void fail(String thrown) {
      switch (thrown) {
        case "NoClassDefFoundError" -> throw new NoClassDefFoundError("planned failure");
        case "NoSuchMethodError" -> throw new NoSuchMethodError("planned failure");
        default -> throw new IllegalStateException("planned failure");
      }
    }

    public static void main(String[] args) {
      System.out.println("never");
    }
  }
}
