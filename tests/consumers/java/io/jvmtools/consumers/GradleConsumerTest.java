package io.jvmtools.consumers;

import java.util.List;

class GradleConsumerTest extends ConsumerTest {
  @Override
  String source() {
    return "gradle";
  }

  @Override
  List<String> buildCommand() {
    return List.of(
        ROOT.resolve("gradle/run").toString(),
        "--no-daemon",
        "--quiet",
        "-Pjvmtools.repo=" + REPOSITORY.toUri(),
        "-Pjvmtools.version=" + VERSION,
        "installDist");
  }

  @Override
  String jars() {
    return "build/install/consumer/lib";
  }
}
