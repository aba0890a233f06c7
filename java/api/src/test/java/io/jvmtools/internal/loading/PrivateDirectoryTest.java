package io.jvmtools.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.LibraryLoadException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PrivateDirectoryTest {

  @TempDir Path parent;

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has other permissions")
  void makesADirectoryThatOnlyItsOwnerCanEnter() throws IOException {
    Path directory = parent.resolve("a/b");
    PrivateDirectory.require(directory);

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
        .isEqualTo("rwx------");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has other permissions")
  void takesADirectoryThatIsThereIfOthersCannotWrite() throws IOException {
    Path directory = directory("rwxr-xr-x");

    assertThatCode(() -> PrivateDirectory.require(directory)).doesNotThrowAnyException();
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has other permissions")
  void refusesADirectoryThatOthersCanWriteTo() throws IOException {
    assertRefused(directory("rwxrwx---"), "can be written to by others (rwxrwx---)");
    assertRefused(directory("rwx----w-"), "can be written to by others (rwx----w-)");
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has other permissions")
  void refusesASymbolicLinkWhereverItPoints() throws IOException {
    Path link = parent.resolve("link");
    Files.createSymbolicLink(link, directory("rwx------"));
    assertRefused(link, "is a symbolic link");

    Path dangling = parent.resolve("dangling");
    Files.createSymbolicLink(dangling, parent.resolve("nowhere"));
    assertRefused(dangling, "is a symbolic link");
  }

  @Test
  void refusesAFile() throws IOException {
    assertRefused(Files.createFile(parent.resolve("file")), "is not a directory");
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has other permissions")
  void refusesADirectoryOfAnotherUser() throws IOException {
    Path directory = directory("rwx------");
    boolean root = Files.getAttribute(directory, "unix:uid").equals(0);
    assumeTrue(root, "only root can give a directory away");
    Files.setAttribute(directory, "unix:uid", 65534);

    assertThatIOException()
        .isThrownBy(() -> PrivateDirectory.require(directory))
        .withMessageStartingWith("belongs to ");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "its paths are those of Unix")
  void theChosenDirectoryComesFirstAndTheCacheLast() {
    Map<String, String> properties =
        Map.of(
            "jvmtools.extract.dir", "/chosen",
            "java.io.tmpdir", "/tmp",
            "user.name", "a/../b",
            "user.home", "/home/ab");

    assertThat(PrivateDirectory.candidates(properties::get, name -> null))
        .containsExactly(
            Path.of("/chosen"),
            Path.of("/tmp/jvmtools-a_.._b"),
            Path.of("/home/ab/.cache/jvmtools"));
    assertThat(PrivateDirectory.candidates(properties::get, Map.of("XDG_CACHE_HOME", "/x")::get))
        .endsWith(Path.of("/x/jvmtools"));
    assertThat(
            PrivateDirectory.candidates(properties::get, Map.of("JVMTOOLS_EXTRACT_DIR", "/y")::get))
        .startsWith(Path.of("/chosen"), Path.of("/y"));
  }

  @Test
  void aMissingHomeIsNoCandidate() {
    assertThat(PrivateDirectory.candidates(name -> null, name -> null)).isEmpty();
    assertThat(PrivateDirectory.candidates(Map.of("user.home", "?")::get, name -> null)).isEmpty();
  }

  private Path directory(String permissions) throws IOException {
    Path directory = parent.resolve("d-" + permissions);
    Files.createDirectory(directory);
    return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(permissions));
  }

  private static void assertRefused(Path directory, String reason) {
    assertThatIOException()
        .isThrownBy(() -> PrivateDirectory.require(directory))
        .withMessage(reason);
  }

  @Test
  void aSettingThatIsNoPathIsNamed() {
    assertThatExceptionOfType(LibraryLoadException.class)
        .isThrownBy(
            () ->
                PrivateDirectory.candidates(
                    Map.of("jvmtools.extract.dir", "a\0b")::get, name -> null))
        .withMessageContaining("property jvmtools.extract.dir: ");
    assertThatExceptionOfType(LibraryLoadException.class)
        .isThrownBy(
            () -> ChosenFile.all(name -> null, Map.of("JVMTOOLS_LIBRARY_PATH", "a\0b")::get))
        .withMessageContaining("environment variable JVMTOOLS_LIBRARY_PATH: ");
  }
}
