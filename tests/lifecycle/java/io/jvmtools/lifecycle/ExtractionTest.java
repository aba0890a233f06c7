package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.JvmTools;
import io.jvmtools.LibraryLoadException;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Installation;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.support.RunningChild;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Where the library of the jar is put, and where it is not. */
@OneJdkADay
class ExtractionTest {

  /** On Windows all share one server under Wine, which keeps so many from ending in minutes. */
  private static final int AT_ONCE = OS.WINDOWS.isCurrentOs() ? 10 : 100;

  /** Where no file system lets anybody create a directory, not even root: below a file. */
  private static final Path NOWHERE = Installation.library().resolve("nowhere");

  @Test
  void theFileOfThePropertyIsTaken() {
    String library = Installation.library().toString();
    ChildResult result =
        ChildJvm.of(Report.class).jvmArgs("-Djvmtools.library.path=" + library).run().succeeds();
    assertThat(result.line("library ")).isEqualTo(library);
  }

  @Test
  void theLibraryPathOfTheJvmIsTaken() {
    Path directory = Installation.library().getParent();
    ChildResult result =
        ChildJvm.of(Report.class).jvmArgs("-Djava.library.path=" + directory).run().succeeds();
    assertThat(result.line("library ")).isEqualTo(Installation.library().toString());
  }

  @Test
  void theErrorListsEverythingThatWasTried(@TempDir Path dir) throws IOException {
    Files.writeString(dir.resolve(System.mapLibraryName("jvmtools")), "not a library");
    ChildResult result =
        withoutFallback(Refused.class)
            .jvmArgs("-Djava.library.path=" + dir, "-Djvmtools.extract.dir=" + NOWHERE)
            .run()
            .succeeds();
    result.out().anyMatch(line -> line.contains("jvmtools.library.path: not set"));
    result.out().anyMatch(line -> line.contains("java.library.path, " + dir));
    result.out().anyMatch(line -> line.contains("extraction to " + NOWHERE));
  }

  @Test
  void aMissingFileOfThePropertyIsInTheError() {
    ChildResult result =
        withoutFallback(Refused.class)
            .jvmArgs("-Djvmtools.library.path=" + NOWHERE)
            .run()
            .succeeds();
    result.out().anyMatch(line -> line.contains("jvmtools.library.path=" + NOWHERE));
  }

  /** A child that cannot load the library, and prints why. */
  static final class Refused {
    public static void main(String[] args) {
      for (int i = 0; i < 2; i++) {
        try {
          throw new AssertionError("loaded: " + JvmTools.getPhase());
        } catch (LibraryLoadException refused) {
          assertThat(refused.attempts()).isNotEmpty();
          refused.attempts().forEach(attempt -> assertThat(refused).hasMessageContaining(attempt));
          System.out.println(refused.getMessage());
        }
      }
    }
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has other permissions")
  void aDirectoryThatOthersCanWriteToIsRefused(@TempDir Path dir) throws IOException {
    Path open = Files.createDirectory(dir.resolve("open"));
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
    refuses(open, "can be written to by others");
    assertThat(open).isEmptyDirectory();
  }

  @Test
  void aSymbolicLinkIsRefused(@TempDir Path dir) throws IOException {
    Path real = Files.createDirectory(dir.resolve("real"));
    Path link = Files.createSymbolicLink(dir.resolve("link"), real);
    assumeTrue(Files.isSymbolicLink(link), "this system makes no symbolic links (Wine 8)");
    refuses(link, "symbolic link");
    assertThat(real).isEmptyDirectory();
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsRefused(@TempDir Path dir) throws IOException {
    refuses(Files.createFile(dir.resolve("file")), "is not a directory");
  }

  @Test
  void aRefusedDirectoryIsPassedOver(@TempDir Path dir) {
    ChildResult result =
        ChildJvm.of(Report.class)
            .jvmArgs("-Djvmtools.extract.dir=" + NOWHERE, "-Djava.io.tmpdir=" + dir)
            .run()
            .succeeds();
    assertThat(Path.of(result.line("library "))).startsWith(dir);
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no such file systems")
  void aDirectoryThatForbidsExecutionIsExplained(@TempDir Path dir) throws Exception {
    Process probe = new ProcessBuilder("unshare", "-rm", "true").start();
    assumeTrue(probe.waitFor() == 0, "this machine lets nobody mount a file system of his own");
    String mount = "mount -t tmpfs -o noexec,mode=700 none " + dir + " && exec \"$@\"";
    ChildResult result =
        withoutFallback(Refused.class)
            .startedBy("unshare", "-rm", "sh", "-c", mount, "sh")
            .jvmArgs("-Djvmtools.extract.dir=" + dir)
            .run()
            .succeeds();
    result.out().anyMatch(line -> line.contains("does not allow to execute files"));
    result.out().anyMatch(line -> line.contains("-Djvmtools.extract.dir"));
  }

  @Test
  void aDamagedFileIsReplaced(@TempDir Path dir) throws IOException {
    Path extracted = extract(dir.resolve("private"));
    byte[] good = Files.readAllBytes(extracted);
    for (byte[] damaged : List.of(new byte[0], new byte[good.length], "text".getBytes())) {
      Files.write(extracted, damaged);
      assertThat(extract(dir.resolve("private"))).isEqualTo(extracted);
      assertThat(extracted).hasBinaryContent(good);
    }
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has other permissions")
  void whatIsExtractedIsPrivateAndTheLibrary(@TempDir Path dir) throws IOException {
    Path extracted = extract(dir.resolve("private"));
    assertThat(extracted).hasSameBinaryContentAs(Installation.library());
    for (Path path : List.of(extracted, extracted.getParent())) {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
      assertThat(PosixFilePermissions.toString(permissions)).isEqualTo("rwx------");
    }
  }

  @Test
  void aHundredProcessesExtractAtOnce(@TempDir Path dir) throws IOException {
    assumeFalse(Installation.isEmulated(), "a hundred emulated JVMs take a quarter of an hour");
    Path fresh = dir.resolve("fresh");
    List<RunningChild> children = new ArrayList<>();
    try {
      for (int i = 0; i < AT_ONCE; i++) {
        children.add(
            ChildJvm.of(Report.class)
                .withoutJniChecks()
                .jvmArgs("-Djvmtools.extract.dir=" + fresh)
                .jvmArgs("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx32m")
                .args("go")
                .start());
      }
      children.forEach(child -> child.await("ready"));
      children.forEach(child -> child.say("go"));
      for (RunningChild child : children) {
        assertThat(Path.of(child.end().succeeds().line("library "))).hasParent(fresh);
      }
    } finally {
      children.forEach(RunningChild::close);
    }
    try (Stream<Path> files = Files.list(fresh)) {
      assertThat(files)
          .singleElement()
          .satisfies(file -> assertThat(file).hasSameBinaryContentAs(Installation.library()));
    }
  }

  private static Path extract(Path directory) {
    ChildResult result =
        ChildJvm.of(Report.class).jvmArgs("-Djvmtools.extract.dir=" + directory).run().succeeds();
    return Path.of(result.line("library "));
  }

  private static void refuses(Path directory, String reason) {
    withoutFallback(Refused.class)
        .jvmArgs("-Djvmtools.extract.dir=" + directory)
        .run()
        .succeeds()
        .out()
        .anyMatch(line -> line.contains("extraction to " + directory) && line.contains(reason));
  }

  /** A child whose temporary and home directories are no place for a library. */
  private static ChildJvm withoutFallback(Class<?> main) {
    return ChildJvm.of(main)
        .environment("XDG_CACHE_HOME", null)
        .jvmArgs("-Djava.io.tmpdir=" + NOWHERE, "-Duser.home=" + NOWHERE);
  }
}
