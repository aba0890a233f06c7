package io.jvmtools.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.oracle.asked.Functions;
import io.jvmtools.oracle.java.JavaItself;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Sources;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether each function is there on each side, in the file of its stem, and has a scene of its own;
 * and what to write where one is not. What the library's side lacks does not compile, and Java need
 * not have an answer.
 */
final class Sides {

  private static final Pattern WRITTEN = Pattern.compile("^FUNCTION\\((\\w+)", Pattern.MULTILINE);

  private Sides() {}

  static void areComplete() {
    List<String> lacking = new ArrayList<>();
    for (Class<?> functions : Functions.class.getInterfaces()) {
      String stem = functions.getSimpleName().replace("Functions", "");
      lacking.addAll(lackingInTheAgent(stem, functions));
      lacking.addAll(lackingInTheScenes(stem, functions));
      if (isForgotten("Java" + stem)) {
        lacking.add("tests/oracle/**/JavaItself.java: extends Java" + stem);
      }
    }
    assertThat(lacking).as("what the sides of the oracle lack").isEmpty();
  }

  private static List<String> lackingInTheAgent(String stem, Class<?> functions) {
    String file = "tests/oracle/cpp/" + snake(stem) + ".cpp";
    Path path = Installation.root().resolve(file);
    String text = Files.exists(path) ? Sources.text(path) : "";
    Set<String> written =
        WRITTEN.matcher(text).results().map(match -> match.group(1)).collect(Collectors.toSet());
    return names(functions)
        .filter(function -> !written.contains(function))
        .map(function -> file + ": FUNCTION(" + function + ", …), which answers what the VM says")
        .toList();
  }

  /** Those that are played on every kind of thread alone, as {@link Call} does it for each. */
  private static List<String> lackingInTheScenes(String stem, Class<?> functions) {
    String scenes =
        Sources.under("tests/oracle", "Scenes.java").stream()
            .map(Sources::text)
            .collect(Collectors.joining());
    return names(functions)
        .map(name -> Character.toUpperCase(name.charAt(0)) + name.substring(1))
        .filter(function -> !scenes.contains("\"" + function + "."))
        .map(
            function ->
                "tests/oracle/**/%sScenes.java, or that of its set-up: a scenario \"%s.…\""
                    .formatted(stem, function))
        .toList();
  }

  private static Stream<String> names(Class<?> functions) {
    return Stream.of(functions.getDeclaredMethods())
        .filter(function -> Modifier.isAbstract(function.getModifiers()))
        .map(Method::getName);
  }

  /** Whether there is such a part of Java's side, and nobody asks it. */
  private static boolean isForgotten(String part) {
    try {
      Class<?> type = Class.forName(JavaItself.class.getPackageName() + "." + part);
      return !type.isAssignableFrom(JavaItself.class);
    } catch (ClassNotFoundException none) {
      return false;
    }
  }

  /** {@code thread_group} of {@code ThreadGroup}. */
  private static String snake(String stem) {
    return stem.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
  }
}
