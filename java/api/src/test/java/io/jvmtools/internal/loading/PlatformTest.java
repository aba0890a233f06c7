package io.jvmtools.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.Installation;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {

  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, linux-x86_64, libjvmtools.so",
    "Linux, aarch64, linux-aarch64, libjvmtools.so",
    "Mac OS X, aarch64, macos-aarch64, libjvmtools.dylib",
    "Windows 11, amd64, windows-x86_64, jvmtools.dll",
    "FreeBSD, riscv64, freebsd-riscv64, libjvmtools.so",
  })
  void namesDirectoryAndFile(String os, String arch, String classifier, String file) {
    assertThat(Platform.of(os, arch, () -> false)).isEqualTo(new Platform(classifier, file));
  }

  @Test
  void muslCountsOnLinuxOnly() {
    assertThat(Platform.of("Linux", "amd64", () -> true).classifier())
        .isEqualTo("linux-x86_64-musl");
    assertThat(Platform.of("Mac OS X", "x86_64", () -> true).classifier())
        .isEqualTo("macos-x86_64");
  }

  @Test
  void theOtherCLibraryIsTheSecondChoiceOnLinuxOnly() {
    assertThat(Platform.named("linux-aarch64-musl").variants())
        .containsExactly(Platform.named("linux-aarch64-musl"), Platform.named("linux-aarch64"));
    assertThat(Platform.named("linux-x86_64").variants())
        .containsExactly(Platform.named("linux-x86_64"), Platform.named("linux-x86_64-musl"));
    assertThat(Platform.named("windows-x86_64").variants())
        .containsExactly(new Platform("windows-x86_64", "jvmtools.dll"));
  }

  @Test
  void muslIsSeenInTheMappingsOfTheProcess() {
    String prefix = "7f0c50000000-7f0c50021000 r-xp 00000000 08:01 42 ";

    assertThat(Platform.isMusl(prefix + "/lib/ld-musl-x86_64.so.1")).isTrue();
    assertThat(Platform.isMusl(prefix + "/lib/libc.musl-x86_64.so.1")).isTrue();
    assertThat(Platform.isMusl(prefix + "/usr/lib/x86_64-linux-musl/libc.so")).isTrue();
    assertThat(Platform.isMusl(prefix + "/usr/lib/x86_64-linux-gnu/libc-2.31.so")).isFalse();
    assertThat(Platform.isMusl(prefix + "/usr/lib/x86_64-linux-gnu/libc.so.6")).isFalse();
  }

  @Test
  void thePlatformsAreThoseOfTheBuild() throws Exception {
    try (Stream<String> lines = Files.lines(Installation.root().resolve("tests/platforms.tsv"))) {
      List<Platform> built =
          lines
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.split("\t", -1))
              .map(row -> new Platform(row[0], row[2]))
              .toList();
      assertThat(Platform.SUPPORTED.stream().map(Platform::named)).containsExactlyElementsOf(built);
    }
  }

  @Test
  void thisProcessHasAPlatform() {
    assertThat(Platform.current().classifier()).matches("[a-z]+-[a-z0-9_]+(-musl)?");
  }
}
