package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.Agent;
import io.jvmtools.LibraryLoadException;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Installation;
import io.jvmtools.support.RunningChild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;

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
  void plainUsePrintsTheJvmsWarningFromJdk24On() {
    ChildResult result = ChildJvm.of(Report.class).run().succeeds();
    result.out().hasSize(3);
    checkWarnings(result, "an unnamed module (" + jar() + ")", "ALL-UNNAMED");
  }

  @Test
  void plainUseOfANamedModulePrintsTheJvmsWarningFromJdk24On() {
    ChildJvm jvm = ChildJvm.of(Report.class).onModulePath();
    checkWarnings(jvm.run().succeeds(), "module io.jvmtools (" + jar() + ")", "io.jvmtools");
  }

  /** All of standard error. */
  private static void checkWarnings(ChildResult result, String caller, String permitted) {
    if (Installation.feature() < 24) {
      result.err().isEmpty();
      return;
    }
    List<String> lines =
        result.errLines().stream().map(line -> line.replace("::loadLibrary", "::load")).toList();
    assertThat(lines)
        .as(result.transcript())
        .containsExactly(
            "WARNING: A restricted method in java.lang.System has been called",
            "WARNING: java.lang.System::load has been called by"
                + (" io.jvmtools.internal.loading.Image in " + caller),
            "WARNING: Use --enable-native-access="
                + (permitted + " to avoid a warning for callers in this module"),
            "WARNING: Restricted methods will be blocked in a future release unless native access"
                + " is enabled",
            "");
  }

  private static String jar() {
    return "file:" + Installation.jar();
  }

  @Test
  void aManifestThatAllowsItKeepsPlainUseSilent(@TempDir Path dir) throws IOException {
    ChildResult allowed = startedAs(dir.resolve("allowed.jar"), "ALL-UNNAMED").run().succeeds();
    allowed.err().isEmpty();
    assertThat(allowed.line("origin ")).isEqualTo("LIBRARY");
    ChildResult agent = startedAs(dir.resolve("agent.jar"), "ALL-UNNAMED").agent("").run();
    agent.succeeds().err().isEmpty();
    assertThat(agent.line("origin ")).isEqualTo("AT_START");
  }

  @Test
  void aManifestWithoutThePermissionDoesNot(@TempDir Path dir) throws IOException {
    ChildResult result = startedAs(dir.resolve("silent.jar"), null).run();
    checkWarnings(result.succeeds(), "an unnamed module (" + jar() + ")", "ALL-UNNAMED");
  }

  private static ChildJvm startedAs(Path file, String permitted) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, Report.class.getName());
    attributes.put(
        Attributes.Name.CLASS_PATH,
        Installation.classPath().stream()
            .map(entry -> entry.toUri().toString())
            .collect(Collectors.joining(" ")));
    if (permitted != null) {
      attributes.putValue("Enable-Native-Access", permitted);
    }
    new JarOutputStream(Files.newOutputStream(file), manifest).close();
    return ChildJvm.of(Report.class).startedAs(file);
  }

  @Test
  void aLinkedImageWarnsUnlessItIsAllowed(@TempDir Path dir) throws Exception {
    Path jlink = Installation.javaHome().resolve("bin/jlink");
    assumeTrue(Files.exists(jlink), "this runtime has no jlink");
    Path image = dir.resolve("image");
    Process link =
        new ProcessBuilder(
                jlink.toString(),
                "--module-path=" + Installation.jar(),
                "--add-modules=io.jvmtools",
                "--output=" + image)
            .inheritIO()
            .start();
    assertThat(link.waitFor()).as("jlink").isZero();

    ChildResult plain = linked(image).run().succeeds();
    checkWarnings(plain, "module io.jvmtools (jrt:/io.jvmtools)", "io.jvmtools");
    linked(image).jvmArgs(ALLOW_MODULE).run().succeeds().err().isEmpty();
    linked(image).agent("").run().succeeds().err().isEmpty();
  }

  private static ChildJvm linked(Path image) {
    return ChildJvm.of(Report.class)
        .launchedBy(image.resolve("bin/java").toString())
        .onModulePath();
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
