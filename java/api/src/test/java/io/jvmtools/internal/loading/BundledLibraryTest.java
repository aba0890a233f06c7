package io.jvmtools.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class BundledLibraryTest {

  private static final byte[] BYTES = "not really ELF".getBytes(StandardCharsets.US_ASCII);

  @TempDir Path parent;
  private final AtomicInteger opened = new AtomicInteger();
  private String sha256;
  private BundledLibrary library;
  private Path directory;

  @BeforeEach
  void setUp() throws Exception {
    sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(BYTES));
    library = library(sha256);
    directory = parent.resolve("private");
  }

  @Test
  void isNamedByItsContent() throws IOException {
    Path file = library.extractTo(directory);

    assertThat(file)
        .hasFileName(sha256.substring(0, 16) + "-libjvmtools.so")
        .hasBinaryContent(BYTES);
    assertThat(file).isExecutable();
    assertThat(directory).isDirectoryContaining(file::equals);
    try (var files = Files.list(directory)) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void isExtractedOnce() throws IOException {
    library.extractTo(directory);
    library.extractTo(directory);

    assertThat(opened).hasValue(1);
  }

  @Test
  void aFileWithOtherContentIsReplaced() throws IOException {
    Path file = library.extractTo(directory);
    Files.writeString(file, "something else");

    assertThat(library.extractTo(directory)).isEqualTo(file).hasBinaryContent(BYTES);
  }

  @Test
  void aLinkInItsPlaceIsReplacedAndItsTargetLeftAlone() throws IOException {
    Path file = library.extractTo(directory);
    Path target = Files.write(parent.resolve("target"), BYTES);
    Files.delete(file);
    Files.createSymbolicLink(file, target);
    library.extractTo(directory);

    assertThat(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)).isTrue();
    assertThat(target).hasBinaryContent(BYTES);
  }

  @Test
  void aDamagedJarIsRefusedAndLeavesNothingBehind() {
    BundledLibrary damaged = library("0".repeat(64));

    assertThatIOException()
        .isThrownBy(() -> damaged.extractTo(directory))
        .withMessageContaining("damaged")
        .withMessageContaining(sha256);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows tells Java no keys of files")
  void aFileThatWasThereIsReplacedByAnotherNotOverwritten() throws IOException {
    Path file = library.extractTo(directory);
    Object before = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    Files.writeString(file, "not");
    library.extractTo(directory);

    assertThat(Files.readAttributes(file, BasicFileAttributes.class).fileKey())
        .isNotEqualTo(before);
  }

  @Test
  void aFileInUseIsMarkedAndThoseOfOtherVersionsAreCleanedUp() throws IOException {
    Path file = library.extractTo(directory);
    Path unused = aged(directory.resolve("0123456789abcdef-libjvmtools.so"), 31);
    aged(file, 31);
    library.extractTo(directory);
    assertThat(unused).as("cleaned up with nothing new").exists();
    assertThat(Files.getLastModifiedTime(file).toInstant())
        .isAfter(Instant.now().minus(Duration.ofHours(1)));

    Files.delete(file);
    library.extractTo(directory);
    assertThat(unused).doesNotExist();
  }

  private static Path aged(Path file, int days) throws IOException {
    if (Files.notExists(file)) {
      Files.createFile(file);
    }
    return Files.setLastModifiedTime(
        file, FileTime.from(Instant.now().minus(Duration.ofDays(days))));
  }

  @Test
  void anUnknownPlatformIsToldWhatIsSupportedAndWhatTheJarCarries() throws IOException {
    Platform unknown = Platform.of("Plan 9", "mips", () -> false);

    assertThat(BundledLibrary.of(unknown)).isNull();
    assertThat(BundledLibrary.missing(unknown, List.of("linux-x86_64", "macos-aarch64")))
        .isEqualTo(
            "JvmTools does not support plan9-mips; it supports "
                + String.join(", ", Platform.SUPPORTED)
                + "; this jar has libraries for: linux-x86_64, macos-aarch64");
  }

  @Test
  void aPlatformWithoutALibraryIsTold() {
    Platform windows = Platform.named("windows-aarch64");

    assertThat(BundledLibrary.missing(windows, List.of()))
        .isEqualTo(
            "this jar has no library for windows-aarch64; it has libraries for: none (beside a slim"
                + " jar belongs the jar natives-windows-aarch64)");
  }

  @Test
  void theJarCarriesTheLibraryOfThisPlatform() {
    assertThat(BundledLibrary.carried())
        .contains(Platform.current().classifier())
        .isSubsetOf(Platform.SUPPORTED);
  }

  private BundledLibrary library(String digest) {
    BundledLibrary.Source source =
        () -> {
          opened.incrementAndGet();
          return new ByteArrayInputStream(BYTES);
        };
    return new BundledLibrary(source, Platform.named("linux-x86_64"), digest);
  }
}
