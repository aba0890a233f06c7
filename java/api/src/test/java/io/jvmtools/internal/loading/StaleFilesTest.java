package io.jvmtools.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StaleFilesTest {

  private static final Instant NOW = Instant.parse("2030-06-01T12:00:00Z");

  @TempDir Path dir;

  @Test
  void oursGoWhenTheyAreOldAndOthersNever() throws IOException {
    Path old = file("0123456789abcdef-libjvmtools.so", Duration.ofDays(31));
    Path dll = file("0123456789abcdef-jvmtools.dll", Duration.ofDays(31));
    Path recent = file("fedcba9876543210-libjvmtools.so", Duration.ofDays(29));
    Path part = file(".jvmtools-12.part", Duration.ofHours(25));
    Path writing = file(".jvmtools-13.part", Duration.ofHours(1));
    Path foreign = file("libjvmtools.so", Duration.ofDays(400));
    Path similar = file("0123456789abcdef-libjvmtools.so.txt", Duration.ofDays(400));
    Path folder = Files.createDirectory(dir.resolve(".jvmtools-folder"));
    age(folder, Duration.ofDays(400));

    StaleFiles.remove(dir, NOW);

    assertThat(old).doesNotExist();
    assertThat(dll).doesNotExist();
    assertThat(part).doesNotExist();
    for (Path kept : new Path[] {recent, writing, foreign, similar, folder}) {
      assertThat(kept).exists();
    }
  }

  @Test
  void whatIsMarkedStays() throws IOException {
    Path used = file("0123456789abcdef-libjvmtools.so", Duration.ofDays(31));
    StaleFiles.markUsed(used, NOW);
    StaleFiles.remove(dir, NOW);
    assertThat(used).exists();
  }

  @Test
  void aFileIsNotMarkedMoreThanOnceADay() throws IOException {
    Path used = file("0123456789abcdef-libjvmtools.so", Duration.ofHours(23));
    StaleFiles.markUsed(used, NOW);
    assertThat(Files.getLastModifiedTime(used).toInstant())
        .isEqualTo(NOW.minus(Duration.ofHours(23)));
  }

  @Test
  void aFolderThatCannotBeReadIsNoFailure() {
    StaleFiles.remove(dir.resolve("absent"), NOW);
    assertThat(dir.resolve("absent")).doesNotExist();
  }

  private Path file(String name, Duration age) throws IOException {
    Path file = Files.createFile(dir.resolve(name));
    age(file, age);
    return file;
  }

  private static void age(Path file, Duration age) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(NOW.minus(age)));
  }
}
