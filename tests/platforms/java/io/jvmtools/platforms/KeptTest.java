package io.jvmtools.platforms;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.Installation;
import io.jvmtools.support.OneJdkADay;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code natives/kept}: what it hands out is what was put there of the same, whole, or nothing. */
@OneJdkADay
class KeptTest {

  private static final long OVER_THE_LIMIT = 4L << 30;

  @TempDir Path dir;
  private Path built;

  @BeforeEach
  void somethingIsBuilt() throws IOException {
    built = Files.createDirectories(dir.resolve("built"));
    Files.writeString(Files.createDirectory(built.resolve("deps")).resolve("libcore"), "core");
    Files.writeString(built.resolve("libours"), "ours");
  }

  @Test
  void whatWasPutIsTaken() throws Exception {
    put("linux-1");
    assertThat(take("linux-1")).containsExactly("deps/libcore=core", "libours=ours");
  }

  @Test
  void anotherKeyHasNothing() throws Exception {
    put("linux-1");
    assertThat(take("linux-2")).isNull();
    assertThat(take("linux")).isNull();
  }

  @Test
  void whatIsLeftOutIsNotThere() throws Exception {
    put("linux-1", "--exclude=*ours*");
    assertThat(take("linux-1")).containsExactly("deps/libcore=core");
  }

  @Test
  void whatIsDamagedIsNotTakenAndGoes() throws Exception {
    put("linux-1");
    Path entry = entries().get(0);
    try (RandomAccessFile file = new RandomAccessFile(entry.toFile(), "rw")) {
      file.seek(file.length() / 2);
      int old = file.read();
      file.seek(file.length() / 2);
      file.write(~old);
    }
    assertThat(take("linux-1")).isNull();
    assertThat(entries()).isEmpty();
    put("linux-1");
    assertThat(take("linux-1")).isNotNull();
  }

  @Test
  void whatWasNotUsedForAMonthGoes() throws Exception {
    put("linux-old");
    Path old = entries().get(0);
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(32, ChronoUnit.DAYS)));
    put("linux-new");
    assertThat(take("linux-old")).isNull();
    assertThat(take("linux-new")).isNotNull();
  }

  @Test
  void whatWasNotUsedForLongestGoesWhereThereIsTooMuch() throws Exception {
    put("linux-used");
    Instant longAgo = Instant.now().minus(2, ChronoUnit.DAYS);
    Files.setLastModifiedTime(entries().get(0), FileTime.from(longAgo));
    assertThat(take("linux-used")).isNotNull();
    Path unused = Files.createFile(entries().get(0).resolveSibling("linux-unused-0.tar.zst"));
    try (RandomAccessFile sparse = new RandomAccessFile(unused.toFile(), "rw")) {
      sparse.setLength(OVER_THE_LIMIT);
    }
    Files.setLastModifiedTime(unused, FileTime.from(Instant.now().minus(1, ChronoUnit.DAYS)));
    put("linux-new");
    assertThat(unused).doesNotExist();
    assertThat(entries()).hasSize(2);
  }

  private void put(String key, String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("put", key, built.toString()));
    Collections.addAll(arguments, options);
    assertThat(kept(arguments)).isZero();
  }

  /** The files of an entry with what is in them, or null if there is none. */
  private List<String> take(String key) throws Exception {
    Path taken = Files.createTempDirectory(dir, "taken").resolve("new");
    if (kept(List.of("take", key, taken.toString())) != 0) {
      assertThat(taken).doesNotExist();
      return null;
    }
    List<String> files = new ArrayList<>();
    try (var all = Files.walk(taken)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile).sorted()::iterator) {
        files.add(taken.relativize(file) + "=" + Files.readString(file));
      }
    }
    return files;
  }

  private List<Path> entries() throws IOException {
    try (var all = Files.list(dir.resolve("jvmtools-build/natives"))) {
      return all.sorted().toList();
    }
  }

  private int kept(List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Installation.root().resolve("natives/kept").toString());
    command.addAll(arguments);
    ProcessBuilder kept = new ProcessBuilder(command).redirectErrorStream(true);
    kept.environment().put("XDG_CACHE_HOME", dir.toString());
    Process process = kept.start();
    String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    if (status != 0 && !told.isEmpty()) {
      assertThat(told).endsWith(".tar.zst is damaged, and deleted\n");
    }
    return status;
  }
}
