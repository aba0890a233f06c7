package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Agent;
import io.jvmtools.LibraryLoadException;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Installation;
import io.jvmtools.support.RunningChild;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;

/** What each way in prints, and what it needs where native access is restricted. */
class NativeAccessTest {

  private static final String ALLOW_CLASS_PATH = "--enable-native-access=ALL-UNNAMED";
  private static final String ALLOW_MODULE = "--enable-native-access=io.jvmtools";
  private static final String DENY = "--illegal-native-access=deny";
  private static final String NO_RESTRICTION = "native access is not restricted before JDK 24";

  @Test
  void theAgentPrintsNothing() {
    ChildResult result = ChildJvm.of(Report.class).agent("").run().succeeds();
    result.err().isEmpty();
    result.out().hasSize(3);
  }

  @Test
  void theAgentPrintsNothingForANamedModule() {
    ChildResult result = ChildJvm.of(Report.class).onModulePath().agent("").run().succeeds();
    assertThat(result.line("module ")).isEqualTo("module io.jvmtools");
    result.err().isEmpty();
    result.out().hasSize(3);
  }

  @Test
  void plainUsePrintsAWarningFromJdk24On() {
    ChildResult result = ChildJvm.of(Report.class).run().succeeds();
    if (Installation.feature() >= 24) {
      result
          .err()
          .isNotEmpty()
          .allMatch(line -> line.isEmpty() || line.startsWith("WARNING: "))
          .anyMatch(line -> line.contains("--enable-native-access=ALL-UNNAMED"));
    } else {
      result.err().isEmpty();
    }
    result.out().hasSize(3);
  }

  @Test
  void plainUseOfANamedModulePrintsAWarningFromJdk24On() {
    ChildResult result = ChildJvm.of(Report.class).onModulePath().run().succeeds();
    if (Installation.feature() >= 24) {
      result.err().isNotEmpty().anyMatch(line -> line.contains(ALLOW_MODULE));
    } else {
      result.err().isEmpty();
    }
  }

  @Test
  void plainUseThatIsAllowedPrintsNothing() {
    ChildJvm.of(Report.class).jvmArgs(ALLOW_CLASS_PATH).run().succeeds().err().isEmpty();
    ChildJvm.of(Report.class).onModulePath().jvmArgs(ALLOW_MODULE).run().succeeds().err().isEmpty();
  }

  @Test
  void attachingPrintsAWarningFromJdk21On() {
    ChildResult result = attach(ChildJvm.of(Report.class).args("attached"));
    if (Installation.feature() >= 21) {
      result
          .err()
          .isNotEmpty()
          .allMatch(line -> line.isEmpty() || line.startsWith("WARNING: "))
          .anyMatch(line -> line.contains("loaded dynamically"));
    } else {
      result.err().isEmpty();
    }
  }

  @Test
  @EnabledForJreRange(minVersion = 21, disabledReason = "attaching is silent before JDK 21")
  void attachingThatIsAllowedPrintsNothing() {
    ChildJvm jvm = ChildJvm.of(Report.class).jvmArgs("-XX:+EnableDynamicAgentLoading");
    attach(jvm.args("attached")).err().isEmpty();
  }

  private static ChildResult attach(ChildJvm jvm) {
    try (RunningChild child = jvm.start()) {
      child.await("ready");
      AttachTo.with(Installation.library(), child.pid(), "").out().contains("attached");
      child.say("attached");
      return child.end().succeeds();
    }
  }

  @Test
  @EnabledForJreRange(minVersion = 24, disabledReason = NO_RESTRICTION)
  void theAgentWorksSilentlyWhereNativeAccessIsDenied() {
    for (ChildJvm jvm : both()) {
      ChildResult result = jvm.agent("").jvmArgs(DENY).run().succeeds();
      assertThat(result.line("origin ")).isEqualTo("AT_START");
      result.err().isEmpty();
    }
  }

  @Test
  @EnabledForJreRange(minVersion = 24, disabledReason = NO_RESTRICTION)
  void plainUseThatIsAllowedWorksSilentlyWhereNativeAccessIsDenied() {
    ChildJvm.of(Report.class)
        .onModulePath()
        .jvmArgs(DENY, ALLOW_MODULE)
        .run()
        .succeeds()
        .err()
        .isEmpty();
    ChildJvm.of(Report.class).jvmArgs(DENY, ALLOW_CLASS_PATH).run().succeeds().err().isEmpty();
  }

  @Test
  @EnabledForJreRange(minVersion = 24, disabledReason = NO_RESTRICTION)
  void plainUseThatIsDeniedNamesTheFlagThatAllowsIt() {
    ChildResult named = ChildJvm.of(Denied.class).onModulePath().jvmArgs(DENY).run().succeeds();
    named.out().anyMatch(line -> line.contains(ALLOW_MODULE));
    ChildResult unnamed = ChildJvm.of(Denied.class).jvmArgs(DENY).run().succeeds();
    unnamed.out().anyMatch(line -> line.contains(ALLOW_CLASS_PATH));
  }

  static final class Denied {
    public static void main(String[] args) {
      try {
        throw new AssertionError("loaded as " + Agent.origin());
      } catch (LibraryLoadException denied) {
        System.out.println(denied.getMessage());
      }
    }
  }

  private static ChildJvm[] both() {
    return new ChildJvm[] {
      ChildJvm.of(Report.class), ChildJvm.of(Report.class).onModulePath(),
    };
  }
}
