package io.jvmtools.consumers;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A row of what {@code gradle/jdks} found. */
record Jdk(String name, int feature, String command, String about) {

  static Stream<Jdk> all() throws IOException {
    return Files.readAllLines(Path.of(System.getProperty("jvmtools.test.jdks"))).stream()
        .map(row -> row.split("\t"))
        .map(row -> new Jdk(row[0], Integer.parseInt(row[1]), row[2], row[3]));
  }

  String java() {
    assumeTrue(!command.equals("-"), about);
    return command;
  }

  @Override
  public String toString() {
    return name;
  }
}
