package io.jvmtools.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

/** An agent that claims to be JvmTools of another version. */
public final class OtherVersion {

  private OtherVersion() {}

  /** Compiles it. */
  public static Path agent(Path directory) throws Exception {
    Path agent = directory.resolve("libother.so");
    Path source = Installation.root().resolve("tests/lifecycle/c/other_version.c");
    Process cc =
        new ProcessBuilder("cc", "-shared", "-fPIC", "-o", agent.toString(), source.toString())
            .inheritIO()
            .start();
    assertThat(cc.waitFor()).as("cc").isZero();
    return agent;
  }
}
