package io.jvmtools.neighbour;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A JDK of tests/jdks.tsv.
 *
 * @param java its command
 * @param about what it says it is
 */
record Jdk(String java, String about) {

  /** Looks for the one of a feature release. */
  static Jdk find(Path root, int feature) throws IOException {
    Process process =
        new ProcessBuilder(root.resolve("gradle/jdks").toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String found = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    for (String row : found.lines().toList()) {
      String[] columns = row.split("\t");
      if (columns[1].equals(Integer.toString(feature)) && !columns[2].equals("-")) {
        return new Jdk(columns[2], columns[3].replaceAll(".*build ([^,]+),.*", "$1"));
      }
    }
    throw new IllegalArgumentException(
        "tests/jdks.tsv has no JDK " + feature + ", or it is not installed");
  }
}
