package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code java -jar jvmtools.jar extract DIR}. */
class ExtractCommandTest {

  /** How it ended, and what it printed. */
  private record Ended(int status, List<String> lines) {}

  @Test
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has other permissions")
  void theLibraryIsThereForEverybodyAndStartsAnAgent(@TempDir Path dir) throws Exception {
    Path wanted = dir.resolve("opt").resolve("lib");
    for (int again = 0; again < 2; again++) {
      Ended ended = command("extract", wanted.toString());
      assertThat(ended.status).as(ended.toString()).isZero();
      Path file = Path.of(ended.lines.get(0));
      assertThat(file).hasParent(wanted).hasFileName("libjvmtools.so");
      assertThat(ended.lines).anyMatch(line -> line.endsWith(": -agentpath:" + file));
      assertThat(inTheJar()).contains(sha256(file));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rwxr-xr-x");
      try (var all = Files.list(wanted)) {
        assertThat(all).containsExactly(file);
      }
      ChildJvm.of(Report.class).jvmArgs("-agentpath:" + file).run().succeeds();
    }
  }

  @Test
  void whatCannotBeDoneSaysWhy(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("file"), "");
    Ended below = command("extract", file.resolve("below").toString());
    assertThat(below.status).isEqualTo(1);
    assertThat(below.lines).singleElement().asString().startsWith("jvmtools: ");
    Ended inPlace = command("extract", file.toString());
    assertThat(inPlace.status).isEqualTo(1);
    assertThat(inPlace.lines)
        .containsExactly("jvmtools: " + file + " is there and is no directory");
    assertThat(command("extract", "/proc/nowhere").lines)
        .containsExactly("jvmtools: /proc/nowhere cannot be made");
    Ended unknown = command("extract", dir.toString(), "plan9-pdp11");
    assertThat(unknown.status).isEqualTo(1);
    assertThat(unknown.lines)
        .singleElement()
        .asString()
        .startsWith("jvmtools: JvmTools does not support plan9-pdp11; it supports linux-x86_64, ");
  }

  @Test
  void whoeverSaysNothingIsToldHow() throws Exception {
    for (String[] misused :
        new String[][] {
          {}, {"extract"}, {"remove", "x"}, {"extract", "1", "2", "3"}, {"extract", ""}
        }) {
      Ended ended = command(misused);
      assertThat(ended.status).isEqualTo(2);
      assertThat(ended.lines.get(0))
          .isEqualTo("usage: java -jar jvmtools.jar extract DIR [PLATFORM]");
    }
  }

  @Test
  void whoAsksForHelpGetsIt() throws Exception {
    Ended ended = command("--help");
    assertThat(ended.status).isZero();
    assertThat(ended.lines.get(0))
        .isEqualTo("usage: java -jar jvmtools.jar extract DIR [PLATFORM]");
  }

  @Test
  void anOptionThatNoJvmTakesIsNotOffered(@TempDir Path dir) throws Exception {
    Ended ended = command("extract", dir.resolve("a=b").toString());
    assertThat(ended.status).isZero();
    assertThat(ended.lines).noneMatch(line -> line.contains("-agentpath:"));
  }

  private static Ended command(String... arguments) throws Exception {
    List<String> line = new ArrayList<>();
    line.add(Installation.java().toString());
    line.addAll(List.of("-jar", Installation.jar().toString()));
    line.addAll(List.of(arguments));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), text.lines().toList());
  }

  private static List<String> inTheJar() throws IOException {
    List<String> digests = new ArrayList<>();
    try (ZipFile jar = new ZipFile(Installation.jar().toFile())) {
      for (ZipEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().endsWith("/libjvmtools.so.sha256")) {
          try (InputStream in = jar.getInputStream(entry)) {
            String line = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            digests.add(line.split("\\s+", 2)[0]);
          }
        }
      }
    }
    return digests;
  }

  private static String sha256(Path file) throws Exception {
    byte[] bytes = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
    return HexFormat.of().formatHex(bytes);
  }
}
