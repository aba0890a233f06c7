package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.Installation;
import io.jvmtools.support.ProductClasses;
import io.jvmtools.support.Sources;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Rules that no compiler checks. */
class ArchitectureTest {

  private static final int MOST_LINES = 600;

  /** A table of contents: some lines for each function that has a static twin. */
  private static final String DOOR = "JvmTools.java";

  @Test
  void noFileIsTooLong() {
    List<String> tooLong = new ArrayList<>();
    for (String folder : List.of("native", "java", "tests", "examples", "gradle")) {
      for (Path file : Sources.under(folder, ".rs", ".java", ".gradle", ".c", ".cpp", ".h")) {
        int lines = Sources.lines(file).size();
        if (lines > MOST_LINES && !file.endsWith(DOOR)) {
          tooLong.add(Installation.root().relativize(file) + ": " + lines);
        }
      }
    }
    assertThat(tooLong).isEmpty();
  }

  @Test
  void theLibraryPrintsNothing() {
    Pattern print = Pattern.compile("System\\.(out|err)|printStackTrace|\\be?print(ln)?!|\\bdbg!");
    // But for the command that the jar has.
    assertThat(found("java/api/src/main", ".java", print))
        .singleElement()
        .asString()
        .contains("/internal/loading/Main.java:");
    assertThat(found("native/jvmti/src", ".rs", print)).isEmpty();
    assertThat(found("native/agent/src", ".rs", print)).isEmpty();
  }

  @Test
  void nothingIsLeftToDo() {
    Pattern toDo =
        Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b|\\b(to" + "do|unimplemented)!");
    for (String folder : List.of("native", "java", "tests", "examples")) {
      assertThat(found(folder, ".rs", toDo)).isEmpty();
      assertThat(found(folder, ".java", toDo)).isEmpty();
    }
  }

  @Test
  void nothingPanicsWithoutAProof() {
    Pattern panic = Pattern.compile("\\.(unwrap|expect)\\(|\\b(panic|unreachable)!\\((?!.*proof:)");
    Predicate<String> unproved = line -> panic.matcher(line).find() && !line.contains("// proof:");
    for (String crate : List.of("native/jvmti/src", "native/agent/src")) {
      assertThat(found(crate, ".rs", unproved)).isEmpty();
    }
  }

  /** The VM holds a lock meanwhile, in which nobody may be suspended: docs/pitfalls.md. */
  @Test
  void whatTheVmListsUnderALockTheStewardAsksFor() {
    Pattern listed = Pattern.compile("\\.(loaded_classes|class_loader_classes|all_modules)\\(");
    List<String> asked = new ArrayList<>();
    List<String> byThemselves = new ArrayList<>();
    for (Path file : Sources.under("native/agent/src/natives", ".rs")) {
      List<String> lines = Sources.lines(file);
      for (int i = 1; i < lines.size(); i++) {
        if (listed.matcher(lines.get(i)).find()) {
          boolean isAsked = lines.get(i - 1).contains("by_the_steward(");
          (isAsked ? asked : byThemselves).add(file.getFileName() + ":" + (i + 1));
        }
      }
    }
    assertThat(asked).isNotEmpty();
    assertThat(byThemselves).as("begin by_the_steward(…) with it (natives/listed.rs)").isEmpty();
  }

  /**
   * Threads of the library that serve wait until there is something to do; everybody else has a
   * bound.
   */
  @Test
  void nobodyWaitsWithoutABoundButWhoServes() {
    Pattern wait =
        Pattern.compile("\\.wait(_while)?\\([^;]*?\\)\\s*\\.unwrap_or_else\\(PoisonError");
    Set<String> waiting = new TreeSet<>();
    for (Path file : Sources.under("native/agent/src", ".rs")) {
      if (wait.matcher(Sources.text(file)).find()) {
        waiting.add(file.getFileName().toString());
      }
    }
    assertThat(waiting)
        .containsExactly("kept_threads.rs", "ring.rs", "self_test.rs", "steward.rs", "watchdog.rs");
  }

  /**
   * Listeners are told on threads that may have no stack left: a class of the JDK's that such a
   * thread is the first to initialise is of no use for ever, to nobody. Two who add at once are the
   * first to need {@code Striped64.Cell}.
   */
  @Test
  void nothingIsCountedByWhatIsInitialisedWhenTwoCountAtOnce() {
    assertThat(found("java/api/src/main/java", ".java", Pattern.compile("Long(Adder|Accumulator)")))
        .isEmpty();
  }

  @Test
  void theSafeLayerKnowsNoClassOfOurs() {
    assertThat(found("native/jvmti/src", ".rs", Pattern.compile("io/jvmtools|io\\.jvmtools")))
        .isEmpty();
  }

  @Test
  void thePublicApiHasTypesAndNotNumbersAndFlags() {
    List<String> smells = new ArrayList<>();
    for (Class<?> type : ProductClasses.exported()) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isPublic(field.getModifiers()) && field.getType() == int.class) {
          smells.add("a number: " + field);
        }
      }
      for (Method method : ProductClasses.publicMethods(type)) {
        if (!method.isBridge()) {
          if (method.getReturnType() == Object[].class) {
            smells.add("objects of no type: " + method);
          }
          // What a method is to return is a value.
          boolean isValue = method.getName().equals("forceReturn");
          if (!isValue && List.of(method.getParameterTypes()).contains(boolean.class)) {
            smells.add("a flag: " + method);
          }
        }
      }
    }
    assertThat(smells).isEmpty();
  }

  private static List<String> found(String folder, String ending, Pattern pattern) {
    return found(folder, ending, line -> pattern.matcher(line).find());
  }

  /** Lines of code that match, up to the tests at the end of a file. */
  private static List<String> found(String folder, String ending, Predicate<String> matches) {
    List<String> found = new ArrayList<>();
    for (Path file : Sources.under(folder, ending)) {
      int number = 0;
      for (String line : Sources.lines(file)) {
        number++;
        if (line.startsWith("#[cfg(test)]")) {
          break;
        }
        if (matches.test(line) && !line.strip().matches("(//|\\*|/\\*).*")) {
          found.add(Installation.root().relativize(file) + ":" + number + ": " + line.strip());
        }
      }
    }
    return found;
  }
}
