package io.jvmtools.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
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
  void aPlatformWithoutALibraryIsNamed() {
    assertThatIOException()
        .isThrownBy(() -> BundledLibrary.of(new Platform("plan9-mips", "libjvmtools.so")))
        .withMessage("this jar has no library for plan9-mips");
  }

  private BundledLibrary library(String digest) {
    BundledLibrary.Source source =
        () -> {
          opened.incrementAndGet();
          return new ByteArrayInputStream(BYTES);
        };
    return new BundledLibrary(source, "libjvmtools.so", digest);
  }
}
