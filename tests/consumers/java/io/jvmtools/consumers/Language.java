package io.jvmtools.consumers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Another language, or another way to call: what compiles its source, if anything does, and what
 * runs it. Both are arguments of a {@code java} command: {@code {cp}} stands for the product and
 * the language's own jars, {@code {library}} for the first of these, {@code {out}} for the compiled
 * classes, {@code {src}} for the source.
 */
enum Language {
  KOTLIN(
      "Kotlin",
      "kotlin",
      "`kotlinc -cp jvmtools.jar Main.kt`",
      "Main.kt",
      "-cp {cp} org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect -Werror"
          + " -cp {cp} -d {out} {src}",
      "-cp {out}:{cp} MainKt"),
  SCALA_2_13(
      "Scala",
      "scala2",
      "`scalac -cp jvmtools.jar Main.scala`",
      "Main.scala",
      "-cp {cp} scala.tools.nsc.Main -Xfatal-warnings -cp {cp} -d {out} {src}",
      "-cp {out}:{cp} Main"),
  SCALA_3(
      "Scala",
      "scala3",
      "`scalac -classpath jvmtools.jar Main.scala`",
      "Main.scala",
      "-cp {cp} dotty.tools.dotc.Main -Xfatal-warnings -classpath {cp} -d {out} {src}",
      "-cp {out}:{cp} Main"),
  GROOVY(
      "Groovy",
      "groovy",
      "`groovy -cp jvmtools.jar Main.groovy`",
      "Main.groovy",
      "",
      "-cp {cp} groovy.ui.GroovyMain {src}"),
  GROOVY_MODULE(
      "Groovy",
      "groovy",
      "on a module path: `java -p … -m org.apache.groovy/groovy.ui.GroovyMain Main.groovy`",
      "Main.groovy",
      "",
      "-p {cp} --add-modules io.jvmtools -m org.apache.groovy/groovy.ui.GroovyMain {src}"),
  GROOVY_STATIC(
      "Groovy",
      "groovy",
      "`@CompileStatic`, `groovyc -cp jvmtools.jar StaticMain.groovy`",
      "StaticMain.groovy",
      "-cp {cp} org.codehaus.groovy.tools.FileSystemCompiler -cp {cp} -d {out} {src}",
      "-cp {out}:{cp} StaticMain"),
  CLOJURE(
      "Clojure",
      "clojure",
      "`java -cp jvmtools.jar:… clojure.main main.clj`",
      "main.clj",
      "",
      "-cp {cp} clojure.main {src}"),
  JRUBY(
      "JRuby",
      "jruby",
      "`java -cp jvmtools.jar:… org.jruby.Main main.rb`",
      "main.rb",
      "",
      "-cp {cp} org.jruby.Main {src}"),
  NASHORN(
      "Nashorn",
      "nashorn",
      "`java -cp jvmtools.jar:… org.openjdk.nashorn.tools.Shell main.js`",
      "main.js",
      "",
      "-cp {cp} org.openjdk.nashorn.tools.Shell {src}"),
  JSHELL(
      "jshell",
      "",
      "`jshell --class-path jvmtools.jar main.jsh`",
      "main.jsh",
      "",
      "-m jdk.jshell/jdk.internal.jshell.tool.JShellToolProvider --class-path {cp}"
          + " -R-Djava.io.tmpdir={out} {src}"),
  REFLECTION(
      "Reflection",
      "",
      "`Method.invoke`, `unreflect`, `findStatic`, `findVirtual`",
      "Reflecting.java",
      "-m jdk.compiler/com.sun.tools.javac.Main -d {out} -cp {cp} {src}",
      "-cp {out}:{cp} Reflecting"),
  MOCKITO(
      "Mockito",
      "mockito",
      "`mockStatic(JvmTools.class)`, with `-javaagent:mockito-core.jar`",
      "Mocking.java",
      "-m jdk.compiler/com.sun.tools.javac.Main -d {out} -cp {cp} {src}",
      "-javaagent:{library} -cp {out}:{cp} Mocking");

  private static final String SOURCES = "tests/consumers/languages/";

  private final String title;
  private final String library;
  private final String how;
  private final String source;
  private final String compile;
  private final String run;

  /** The library is one of gradle/libs.versions.toml, or none. */
  Language(String title, String library, String how, String source, String compile, String run) {
    this.title = title;
    this.library = library;
    this.how = how;
    this.source = source;
    this.compile = compile;
    this.run = run;
  }

  /** Its name, with the version that is tried. */
  String title() throws IOException {
    return library.isEmpty() ? title : title + " " + version(library);
  }

  /** The version of a library in gradle/libs.versions.toml. */
  static String version(String library) throws IOException {
    String versions = Files.readString(ConsumerTest.ROOT.resolve("gradle/libs.versions.toml"));
    Matcher row = Pattern.compile("(?m)^" + library + " = \".+:(.+)\"$").matcher(versions);
    if (!row.find()) {
      throw new IllegalStateException("gradle/libs.versions.toml has no " + library);
    }
    return row.group(1);
  }

  /** How it is compiled or run by hand. */
  String how() {
    return how;
  }

  /** Its program, from the root of the project. */
  String source() {
    return SOURCES + source;
  }

  /** Why it does not run on a JDK of the matrix, if so. */
  Optional<String> skippedOn(Jdk jdk) {
    // What comes out of a Python wheel is no whole JDK.
    if (jdk.feature() != 21) {
      return Optional.empty();
    }
    return switch (this) {
      case JSHELL -> Optional.of("this runtime has no module jdk.jshell");
      case NASHORN -> Optional.of("this runtime has no module jdk.dynalink");
      default -> Optional.empty();
    };
  }

  /** The command that compiles it; empty if it is run from its source. */
  List<String> compile(Path out) throws IOException {
    return arguments(compile, out);
  }

  List<String> run(Path out) throws IOException {
    return arguments(run, out);
  }

  private List<String> arguments(String template, Path out) throws IOException {
    if (template.isEmpty()) {
      return List.of();
    }
    String product = System.getProperty("jvmtools.test.jar");
    String own = library.isEmpty() ? "" : classPath(library);
    String source = ConsumerTest.ROOT.resolve(source()).toString();
    return Arrays.stream(template.split(" "))
        .map(word -> word.replace("{cp}", own.isEmpty() ? product : product + ":" + own))
        .map(word -> word.replace("{library}", own.split(":")[0]))
        .map(word -> word.replace("{out}", out.toString()))
        .map(word -> word.replace("{src}", source))
        .toList();
  }

  /** What {@code :tests:languagePaths} has written: a library, and all that it needs. */
  static String classPath(String library) throws IOException {
    return Files.readString(Path.of(System.getProperty("jvmtools.test.languages"), library));
  }
}
