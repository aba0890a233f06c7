package io.jvmtools.examples;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.jvmtools.support.ChildJvm;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A class file in the directory takes the place of the loaded one. */
class E03HotSwapTest {

  private static final String FILE = "io/jvmtools/examples/E03Greeting.class";

  @Test
  void theMethodSaysWhatTheNewClassFileSays(@TempDir Path directory) throws Exception {
    Path file = directory.resolve(FILE);
    Files.createDirectories(file.getParent());
    try (InputStream now = E03HotSwapTest.class.getResourceAsStream('/' + FILE)) {
      String bytes = new String(now.readAllBytes(), ISO_8859_1);
      Files.write(file, bytes.replace("hello", "howdy").getBytes(ISO_8859_1));
    }
    ChildJvm.named("io.jvmtools.examples.E03HotSwap")
        .args(directory.toString())
        .run()
        .succeeds()
        .out()
        .containsExactly("hello", "swapped [io.jvmtools.examples.E03Greeting]", "howdy");
  }
}
