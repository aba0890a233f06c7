package io.jvmtools.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A project that depends on the published jar: built once by its build tool on JDK 17, run on each
 * JDK.
 */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ConsumerTest {
  static final Path ROOT = Path.of(System.getProperty("jvmtools.test.root"));
  static final Path REPOSITORY = Path.of(System.getProperty("jvmtools.test.repo"));
  static final String VERSION = System.getProperty("jvmtools.test.version");

  private static final String STATE = "alive, runnable";

  private Path project;
  private Path jars;

  /** The folder in {@code tests/consumers}. */
  abstract String source();

  /** Builds the project in the current directory. */
  abstract List<String> buildCommand() throws IOException;

  /** The folder of the built project that holds its jar and those it needs. */
  abstract String jars();

  /** The jars of ours that the project gets. */
  List<String> ours() {
    return List.of("jvmtools-" + VERSION + ".jar");
  }

  @BeforeAll
  void build(@TempDir Path project) throws IOException, InterruptedException {
    this.project = project;
    copy(ROOT.resolve("tests/consumers").resolve(source()), project);
    Run build = Run.of(project, buildCommand());
    assertThat(build.exitCode()).as(build.output() + build.errors()).isZero();
    jars = project.resolve(jars());
    List<String> expected = new ArrayList<>(ours());
    expected.add("consumer.jar");
    try (Stream<Path> files = Files.list(jars)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.endsWith(".jar") && !name.startsWith("jspecify-"))
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("io.jvmtools.consumers.Jdk#all")
  void runsOnTheClassPath(Jdk jdk) throws IOException, InterruptedException {
    Run run = run(jdk, "-cp", jars + "/*", "consumer.Main");
    assertThat(run.output()).as(run.errors()).isEqualTo(STATE);
    assertThat(run.exitCode()).isZero();
  }

  @ParameterizedTest
  @MethodSource("io.jvmtools.consumers.Jdk#all")
  void runsOnTheModulePathAndPrintsNothingElseWithNativeAccess(Jdk jdk)
      throws IOException, InterruptedException {
    Run run =
        run(
            jdk,
            "--enable-native-access=io.jvmtools",
            "-p",
            jars.toString(),
            "-m",
            "consumer/consumer.Main");
    assertThat(run.output()).as(run.errors()).isEqualTo(STATE);
    assertThat(run.errors()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }

  /** The slim jar, and the jar of the native library of a platform. */
  static List<String> slim(String platform) {
    String slim = "jvmtools-slim-" + VERSION;
    return List.of(slim + ".jar", slim + "-natives-" + platform + ".jar");
  }

  private Run run(Jdk jdk, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(jdk.java(), "-Djava.io.tmpdir=" + project));
    command.addAll(List.of(arguments));
    return Run.of(project, command);
  }

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Path target = to.resolve(from.relativize(file));
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          Files.copy(file, target);
        }
      }
    }
  }
}
