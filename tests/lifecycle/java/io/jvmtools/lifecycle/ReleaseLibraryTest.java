package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.Installation;
import io.jvmtools.support.ProductClasses;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The files that are released, looked at from outside. */
class ReleaseLibraryTest {

  @Test
  void theLibraryExportsTheWaysInAndTheProbeOnly() throws Exception {
    List<String> symbols =
        output("nm", "-D", "--defined-only", Installation.library().toString()).stream()
            .map(line -> line.replaceAll(".* ", ""))
            .toList();
    assertThat(symbols)
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(
            Files.readAllLines(Installation.root().resolve("tests/exports.txt")));
  }

  @Test
  void theLibraryIsNeverUnmapped() throws Exception {
    assertThat(output("readelf", "-d", Installation.library().toString()))
        .anyMatch(line -> line.contains("FLAGS_1") && line.contains("NODELETE"));
  }

  @Test
  void everyNativeIsStaticAndInAClassOfNatives() {
    List<String> natives = new ArrayList<>();
    for (Class<?> type : ProductClasses.internal()) {
      for (Method method : type.getDeclaredMethods()) {
        if (Modifier.isNative(method.getModifiers())) {
          assertThat(Modifier.isStatic(method.getModifiers())).as(method.toString()).isTrue();
          assertThat(type.getSimpleName()).as(method.toString()).matches(".*Natives|Probe");
          natives.add(method.getName());
        }
      }
    }
    assertThat(natives).hasSizeGreaterThan(30);
  }

  @Test
  void theNativesOfTheTestsAreNotReleased() {
    assertThat(ProductClasses.internal())
        .isNotEmpty()
        .noneMatch(type -> type.getSimpleName().contains("SelfTest"));
  }

  private static List<String> output(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    byte[] output = process.getInputStream().readAllBytes();
    assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    return new String(output, StandardCharsets.UTF_8).lines().toList();
  }
}
