package io.jvmtools.consumers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

class MavenConsumerTest extends ConsumerTest {
  @Override
  String source() {
    return "maven";
  }

  @Override
  List<String> buildCommand() throws IOException {
    return command(REPOSITORY, "package");
  }

  /** Maven keeps a release that it has once seen: in its own local repository, forgotten before. */
  static List<String> command(Path repository, String goal) throws IOException {
    Path local = ROOT.resolve(".cache/maven");
    delete(local.resolve("io/jvmtools"));
    return List.of(
        "mvn",
        "-B",
        "-q",
        "-ntp",
        "-Dmaven.repo.local=" + local,
        "-Djvmtools.repo=" + repository.toUri(),
        "-Djvmtools.version=" + VERSION,
        goal);
  }

  @Override
  String jars() {
    return "target/lib";
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
