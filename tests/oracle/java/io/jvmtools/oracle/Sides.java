package io.jvmtools.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.Installation;
import io.jvmtools.support.Sources;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Whether each function is there on each side, in the file of its stem. What the library's side
 * lacks does not compile, and Java may have no answer: so it is the VM's.
 */
final class Sides {

  private static final String AGENT = "tests/oracle/cpp/";

  private Sides() {}

  static void areComplete() {
    List<String> lacking = new ArrayList<>();
    for (Class<?> functions : Functions.class.getInterfaces()) {
      String file = AGENT + snake(functions.getSimpleName().replace("Functions", "")) + ".cpp";
      Path path = Installation.root().resolve(file);
      String text = Files.exists(path) ? Sources.text(path) : "";
      for (Method function : functions.getDeclaredMethods()) {
        boolean asked = Modifier.isAbstract(function.getModifiers());
        if (asked && !text.contains("\nFUNCTION(" + function.getName())) {
          lacking.add(file + ": FUNCTION(" + function.getName() + ", …) { … }");
        }
      }
    }
    assertThat(lacking)
        .as("what to write: one call of the function of jvmti.h, and its answer as text")
        .isEmpty();
  }

  /** {@code thread_group} of {@code ThreadGroup}. */
  private static String snake(String stem) {
    return stem.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }
}
