package io.jvmtools.benches;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.eclipse.jdt.core.compiler.batch.BatchCompiler;

/** Has the Eclipse compiler compile this library's own sources a few times, by one thread. */
final class CompilerProgram {

  private static final int TIMES = 6;

  private CompilerProgram() {}

  /**
   * Takes the path of the C library and the directory of the sources, and ends with a line that
   * says what it took.
   */
  public static void main(String[] args) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("-17", "-proc:none", "-nowarn", "-d", "none", "-classpath"));
    command.add(System.getProperty("java.class.path"));
    try (Stream<Path> files = Files.walk(Path.of(args[1]))) {
      files
          .map(Path::toString)
          .filter(name -> name.endsWith(".java"))
          .sorted()
          .forEach(command::add);
    }
    command.removeIf(name -> name.endsWith("module-info.java"));
    PrintWriter nowhere = new PrintWriter(OutputStream.nullOutputStream());
    PrintWriter errors = new PrintWriter(System.err, true);
    for (int time = 0; time < TIMES; time++) {
      if (!BatchCompiler.compile(command.toArray(new String[0]), nowhere, errors, null)) {
        throw new IllegalStateException("the sources do not compile");
      }
    }
    StartBench.tell(args[0]);
  }
}
