package io.jvmtools.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Installation;
import io.jvmtools.support.OneJdkADay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Where the library is taken from, and which of several. */
@OneJdkADay
class PlacesTest {

  private static final String FILE = System.mapLibraryName("jvmtools");

  @TempDir Path dir;

  @Test
  void theFileOfTheEnvironmentIsTaken() {
    ChildResult result = withVariable(Installation.library()).run().succeeds();
    assertThat(result.line("used ")).isEqualTo("LIBRARY " + Installation.library());
  }

  @Test
  void thePropertyWins() throws Exception {
    Path copy = Files.copy(Installation.library(), dir.resolve("copy.so"));
    ChildResult both =
        withVariable(Installation.library())
            .jvmArgs("-Djvmtools.library.path=" + copy)
            .run()
            .succeeds();
    assertThat(both.line("used ")).isEqualTo("LIBRARY " + copy);
  }

  /** Somebody would wonder for long why another one runs. */
  @Test
  void aNamedFileThatIsNoneIsNotPassedOver() throws Exception {
    Path absent = dir.resolve("absent.so");
    Path text = Files.writeString(dir.resolve("text.so"), "not a library");
    for (Path wrong : List.of(absent, text, dir, jdkLibrary("net"))) {
      refuses(
          withVariable(Installation.library()).jvmArgs("-Djvmtools.library.path=" + wrong),
          "property jvmtools.library.path=" + wrong + ": ");
    }
    refuses(withVariable(text), "environment variable JVMTOOLS_LIBRARY_PATH=" + text + ": ");
  }

  private static void refuses(ChildJvm jvm, String named) {
    ChildResult result = jvm.run().succeeds();
    result.out().noneMatch(line -> line.startsWith("used "));
    result
        .out()
        .anyMatch(line -> line.contains(named) && line.contains("no other place was looked at"));
  }

  @Test
  void theDirectoryOfTheEnvironmentIsTaken() {
    Path chosen = dir.resolve("chosen");
    ChildResult result =
        ChildJvm.of(Use.class)
            .environment("JVMTOOLS_EXTRACT_DIR", chosen.toString())
            .run()
            .succeeds();
    assertThat(result.line("used ")).startsWith("LIBRARY " + chosen);
  }

  @Test
  void aWrongLibraryInTheLibraryPathIsPassedOver() throws Exception {
    Path text = Files.createDirectories(dir.resolve("text"));
    Files.writeString(text.resolve(FILE), "not a library");
    Path foreign = Files.createDirectories(dir.resolve("foreign"));
    Files.copy(jdkLibrary("net"), foreign.resolve(FILE));
    for (Path wrong : new Path[] {text, foreign}) {
      Path extracted = dir.resolve("extracted");
      ChildResult result =
          ChildJvm.of(Use.class)
              .jvmArgs("-Djava.library.path=" + wrong, "-Djvmtools.extract.dir=" + extracted)
              .run()
              .succeeds();
      assertThat(result.line("used ")).startsWith("LIBRARY " + extracted);
    }
  }

  /** The PATH of Windows is the library path there, and may hold anything. */
  @Test
  void whatIsNoPathInTheLibraryPathIsPassedOver() {
    works(ChildJvm.of(Use.class).jvmArgs("-Djava.library.path=<no|path>?"));
  }

  private static Path jdkLibrary(String name) {
    boolean windows = OS.WINDOWS.isCurrentOs();
    return Installation.javaHome()
        .resolve(windows ? "bin" : "lib")
        .resolve(System.mapLibraryName(name));
  }

  @Test
  void anUberJarWorks() throws Exception {
    works(ChildJvm.of(Use.class).classPath(Jars.uber(dir.resolve("uber.jar"))));
  }

  @Test
  void theClassPathWorks() throws Exception {
    works(ChildJvm.of(Use.class).classPath(Installation.jar(), Jars.use(dir.resolve("use.jar"))));
  }

  @Test
  void theModulePathWorks() throws Exception {
    works(
        ChildJvm.of(Use.class)
            .classPath(Jars.use(dir.resolve("use.jar")))
            .jvmArgs("--module-path", Installation.jar().toString())
            .jvmArgs("--add-modules", "io.jvmtools"));
  }

  @Test
  void aJlinkedImageWorks() throws Exception {
    Path jlink = Installation.javaHome().resolve("bin/jlink");
    assumeTrue(Files.isExecutable(jlink), "this runtime has no jlink");
    Path image = dir.resolve("image");
    Process process =
        new ProcessBuilder(
                jlink.toString(),
                "--module-path",
                Installation.jar().toString(),
                "--add-modules",
                "io.jvmtools",
                "--output",
                image.toString())
            .inheritIO()
            .start();
    assertThat(process.waitFor()).as("jlink").isZero();
    works(ChildJvm.of(Use.class).in(image).classPath(Jars.use(dir.resolve("use.jar"))));
  }

  private void works(ChildJvm jvm) {
    Path extracted = dir.resolve("extracted");
    ChildResult result = jvm.jvmArgs("-Djvmtools.extract.dir=" + extracted).run().succeeds();
    assertThat(result.line("used ")).startsWith("LIBRARY " + extracted);
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has one library for a processor")
  void whenTheLibraryForThisCLibraryFailsTheOtherIsTried() throws Exception {
    byte[] good = Files.readAllBytes(Installation.library());
    byte[] bad = "not a library".getBytes();
    Path jar =
        Jars.withLibraries(
            dir.resolve("swapped.jar"), Map.of(Jars.host(), bad, Jars.host() + "-musl", good));
    works(ChildJvm.of(Use.class).classPath(jar));
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has one library for a processor")
  void whenBothFailTheErrorHasBoth() throws Exception {
    byte[] bad = "not a library".getBytes();
    Path jar =
        Jars.withLibraries(
            dir.resolve("bad.jar"), Map.of(Jars.host(), bad, Jars.host() + "-musl", bad));
    ChildResult result =
        ChildJvm.of(Use.class)
            .classPath(jar)
            .jvmArgs("-Djvmtools.extract.dir=" + dir.resolve("extracted"))
            .run()
            .succeeds();
    result.out().anyMatch(line -> line.contains("- " + Jars.host() + " of the jar"));
    result.out().anyMatch(line -> line.contains("- " + Jars.host() + "-musl of the jar"));
  }

  @Test
  void aLibraryThatIsNotWhatItsChecksumSaysIsNotLoaded() throws Exception {
    Path extracted = dir.resolve("extracted");
    ChildResult result =
        ChildJvm.of(Use.class)
            .classPath(Jars.damaged(dir.resolve("damaged.jar")))
            .environment("XDG_CACHE_HOME", null)
            .jvmArgs("-Djvmtools.extract.dir=" + extracted)
            // Where a sound one may have been extracted before, and would be taken.
            .jvmArgs("-Djava.io.tmpdir=" + dir.resolve("tmp"), "-Duser.home=" + dir)
            .run()
            .succeeds();
    result.out().anyMatch(line -> line.contains("the library in the jar is damaged"));
    assertThat(extracted).isEmptyDirectory();
  }

  @Test
  void anUnknownSystemIsToldWhatIsSupportedAndWhatIsThere() {
    ChildResult result = ChildJvm.of(Use.class).jvmArgs("-Dos.name=Plan 9").run().succeeds();
    result
        .out()
        .anyMatch(
            line ->
                line.contains("JvmTools does not support plan9-")
                    && line.contains("it supports linux-x86_64, linux-aarch64, linux-x86_64-musl")
                    && line.matches(".*this jar has libraries for: .*" + Jars.host() + ".*"));
  }

  @Test
  void adviceThatNamesWhatWasExtractedSaysHowToGetACopyThatStays() {
    Path extracted = dir.resolve("extracted");
    ChildResult result =
        ChildJvm.of(Advised.class).jvmArgs("-Djvmtools.extract.dir=" + extracted).run().succeeds();
    result
        .out()
        .anyMatch(
            line ->
                line.contains("add -agentpath:" + extracted)
                    && line.endsWith(
                        FILE
                            + " (a copy that stays where you say: java -jar jvmtools.jar extract"
                            + " DIR)"));
  }

  /** Prints what to do about a capability that only the start can give. */
  static final class Advised {
    public static void main(String[] args) {
      try (Jvmti jvmti = Jvmti.open()) {
        throw new AssertionError(jvmti.threads().ownedMonitors(Thread.currentThread()).toString());
      } catch (MissingCapabilityException missing) {
        System.out.println(missing.getMessage());
      }
    }
  }

  @Test
  void whatOtherVersionsLeftIsCleanedUp() throws Exception {
    Path own = dir.resolve("own");
    ChildJvm jvm = ChildJvm.of(Use.class).jvmArgs("-Djvmtools.extract.dir=" + own);
    String first = jvm.run().succeeds().line("used LIBRARY ");
    Path old = Files.copy(Path.of(first), own.resolve("0123456789abcdef-" + FILE));
    Path foreign = Files.createFile(own.resolve("notes.txt"));
    for (Path file : new Path[] {old, foreign, Path.of(first)}) {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(Duration.ofDays(31))));
    }
    Files.writeString(Path.of(first), "tampered with");

    assertThat(jvm.run().succeeds().line("used LIBRARY ")).isEqualTo(first);
    assertThat(old).doesNotExist();
    assertThat(foreign).exists();
  }

  private static ChildJvm withVariable(Path library) {
    return ChildJvm.of(Use.class).environment("JVMTOOLS_LIBRARY_PATH", library.toString());
  }
}
