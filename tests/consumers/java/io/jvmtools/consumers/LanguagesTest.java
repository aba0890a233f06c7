package io.jvmtools.consumers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The static door and an environment, called from other languages: compiled once, run on each JDK.
 * Each program prints what we answer and, in the line after it, what Java says.
 */
class LanguagesTest {

  @TestFactory
  Stream<DynamicTest> answersWhatJavaSays(@TempDir Path folder)
      throws IOException, InterruptedException {
    List<DynamicTest> tests = new ArrayList<>();
    List<Jdk> jdks = Jdk.all().toList();
    for (Language language : Language.values()) {
      Path out = Files.createDirectory(folder.resolve(language.name()));
      Run compiled = compile(jdks.get(0), language, out);
      for (Jdk jdk : jdks) {
        String name = language + " on " + jdk;
        tests.add(
            DynamicTest.dynamicTest(
                name,
                () -> {
                  String reason = language.skippedOn(jdk).orElse("");
                  // The report names a test of a factory only by its number.
                  assumeTrue(reason.isEmpty(), name + ": " + reason);
                  assertThat(compiled.exitCode()).as(name + ": " + said(compiled)).isZero();
                  check(name, java(jdk, out, language.run(out)));
                }));
      }
    }
    return tests.stream();
  }

  private static void check(String what, Run run) {
    assertThat(run.exitCode()).as(what + ": " + said(run)).isZero();
    List<String> lines = run.output().lines().toList();
    assertThat(every2nd(lines, 0))
        .as(what + ": " + said(run))
        .isEqualTo(every2nd(lines, 1))
        .hasSizeGreaterThan(1)
        .contains("RUNNABLE");
  }

  private static List<String> every2nd(List<String> lines, int first) {
    return IntStream.range(0, lines.size())
        .filter(i -> i % 2 == first)
        .mapToObj(lines::get)
        .toList();
  }

  private static Run compile(Jdk oldest, Language language, Path out)
      throws IOException, InterruptedException {
    List<String> command = language.compile(out);
    return command.isEmpty() ? new Run(0, "", "") : java(oldest, out, command);
  }

  static Run java(Jdk jdk, Path folder, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(jdk.java()));
    command.add("-Djava.io.tmpdir=" + folder);
    // Short programs end before the second compiler has paid for itself.
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(arguments);
    return Run.of(folder, command);
  }

  private static String said(Run run) {
    return run.output() + "\n" + run.errors();
  }
}
