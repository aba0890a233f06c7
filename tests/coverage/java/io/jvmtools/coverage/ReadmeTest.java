package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Sources;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.JavaCompiler.CompilationTask;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows compiles, and runs. */
class ReadmeTest {

  @Test
  void itsExampleRuns(@TempDir Path dir) throws Exception {
    compile(dir, program(example(0)));
    URL[] urls = {dir.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, ReadmeTest.class.getClassLoader())) {
      loader
          .loadClass("Readme")
          .getMethod("main", String[].class)
          .invoke(null, (Object) new String[0]);
    }
  }

  @Test
  void itsExampleWithTheAgentRuns(@TempDir Path dir) throws Exception {
    compile(dir, program(lines(example(0), true) + example(1)));
    List<Path> classPath = new ArrayList<>(Installation.classPath());
    classPath.add(dir);
    ChildJvm.named("Readme")
        .classPath(classPath.toArray(new Path[0]))
        .agent("prepare=debugging")
        .run()
        .succeeds()
        .out()
        .contains("served");
  }

  @Test
  void itCountsTheFunctionsAsTheCoverageDoes() {
    assertThat(counted("README.md", "(\\d+) of the \\[(\\d+) functions\\]\\(docs/coverage.md\\)"))
        .as("what README.md counts")
        .isEqualTo(counted("docs/coverage.md", "\\*\\*(\\d+) of (\\d+) functions are done"));
  }

  /** Of those that nobody can be told of when they happen, `record=` keeps two. */
  @Test
  void itCountsTheEventsAsTheTablesDo() {
    Set<String> events = column("spec/events.tsv", 1);
    Set<String> told = column("spec/java-events.tsv", 0);
    told.retainAll(events);
    assertThat(counted("README.md", "told of (\\d+) of the (\\d+) events"))
        .as("what README.md counts")
        .containsExactly(String.valueOf(told.size()), String.valueOf(events.size()));
    events.removeAll(told);
    assertThat(events).containsExactlyInAnyOrder("VMStart", "VMInit");
  }

  @Test
  void thePomSaysWhatIsNotYetThere() {
    String readme = Sources.text(Installation.root().resolve("README.md"));
    var notYet = Pattern.compile("\\*\\*Not yet\\*\\*: ([^.]+)\\.").matcher(readme);
    assertThat(notYet.find()).as("**Not yet** in README.md").isTrue();
    String build = Sources.text(Installation.root().resolve("java/api/build.gradle"));
    assertThat(build)
        .as("the description in java/api/build.gradle")
        .containsPattern(
            "\ndescription = '.*not yet " + notYet.group(1).replace(", ", ", nor ") + "'");
  }

  private static Set<String> column(String table, int column) {
    return Sources.lines(Installation.root().resolve(table)).stream()
        .skip(1)
        .map(line -> line.split("\t", -1)[column])
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The two numbers, which stand there once. */
  private static List<String> counted(String file, String pattern) {
    String text = Sources.text(Installation.root().resolve(file));
    List<MatchResult> found = Pattern.compile(pattern).matcher(text).results().toList();
    assertThat(found).as(file).hasSize(1);
    return List.of(found.get(0).group(1), found.get(0).group(2));
  }

  private static void compile(Path dir, String program) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assumeTrue(compiler != null, "this runtime has no compiler");
    Path source = Files.writeString(dir.resolve("Readme.java"), program);
    StringWriter complaints = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      List<String> options =
          List.of("-cp", classPath(Installation.classPath()), "-d", dir.toString());
      CompilationTask task =
          compiler.getTask(
              complaints, files, null, options, null, files.getJavaFileObjects(source.toFile()));
      assertThat(task.call()).as(complaints::toString).isTrue();
    }
  }

  private static String example(int number) {
    String readme = Sources.text(Installation.root().resolve("README.md"));
    List<String> blocks =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
            .matcher(readme)
            .results()
            .map(block -> block.group(1))
            .toList();
    assertThat(blocks).hasSizeGreaterThan(number);
    return blocks.get(number);
  }

  /** The imports, then a method with what the rest takes for granted. */
  private static String program(String example) {
    String imports = lines(example, true);
    return imports
        + """
        public class Readme {
          record Order(int number) {}

          static void serve() {
            System.out.println("served");
          }

          static void report(String json) {}

          public static void main(String... arguments) throws Exception {
            Thread worker = new Thread(() -> { while (true) { java.util.concurrent.locks.LockSupport.park(); } });
            worker.setDaemon(true);
            worker.start();
            Order order = new Order(1);
        """
        + lines(example, false)
        + "  }\n}\n";
  }

  private static String lines(String example, boolean imports) {
    return example
        .lines()
        .filter(line -> line.startsWith("import ") == imports)
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String classPath(List<Path> entries) {
    return entries.stream().map(Path::toString).collect(Collectors.joining(":"));
  }
}
