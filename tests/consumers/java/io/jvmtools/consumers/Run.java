package io.jvmtools.consumers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command that has ended. */
record Run(int exitCode, String output, String errors) {

  /** Runs a command in a directory, where it also leaves its output. */
  static Run of(Path directory, List<String> command) throws IOException, InterruptedException {
    Path output = directory.resolve("output.txt");
    Path errors = directory.resolve("errors.txt");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile())
            .start();
    if (!process.waitFor(10, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      throw new AssertionError(command + " did not end");
    }
    return new Run(
        process.exitValue(), Files.readString(output).strip(), Files.readString(errors).strip());
  }
}
