package io.jvmtools.support;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A JVM of the same JDK as this one, described and then started.
 *
 * <p>It runs under {@code -Xcheck:jni}, and what that complains about fails the test; so does a
 * crash, and a child that hangs is killed and fails with its threads printed.
 */
public final class ChildJvm {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final String mainClass;
  private final List<String> prefix = new ArrayList<>();
  private final List<String> jvmArgs = new ArrayList<>();
  private final List<String> args = new ArrayList<>();
  private List<String> java = List.of(Installation.java().toString());
  private final Map<String, String> environment = new HashMap<>();
  private List<Path> classPath = Installation.classPath();
  private Path jar;
  private boolean onModulePath;
  private boolean jniChecks = true;

  private ChildJvm(String mainClass) {
    this.mainClass = mainClass;
  }

  /** A child that runs the {@code main} of a class, nested or not, of the test class path. */
  public static ChildJvm of(Class<?> mainClass) {
    return new ChildJvm(mainClass.getName());
  }

  /** A child that runs the {@code main} of a class that only it can see. */
  public static ChildJvm named(String mainClass) {
    return new ChildJvm(mainClass);
  }

  /** Runs in another Java runtime. */
  public ChildJvm in(Path javaHome) {
    java = List.of(javaHome.resolve("bin/java").toString());
    return this;
  }

  /** Sees nothing but these. */
  public ChildJvm classPath(Path... only) {
    classPath = List.of(only);
    return this;
  }

  /** Starts with our agent; {@code ""} for no options. */
  public ChildJvm agent(String options) {
    return agent(Installation.library(), options);
  }

  /** Starts with an agent from another file. */
  public ChildJvm agent(Path library, String options) {
    return jvmArgs("-agentpath:" + library + (options.isEmpty() ? "" : "=" + options));
  }

  /** Options of the JVM, in order with the agents. */
  public ChildJvm jvmArgs(String... more) {
    jvmArgs.addAll(List.of(more));
    return this;
  }

  /** Sees this value of an environment variable; null takes the variable away. */
  public ChildJvm environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** A command that starts the command that follows it, such as {@code env}, and becomes it. */
  public ChildJvm startedBy(String... command) {
    prefix.addAll(List.of(command));
    return this;
  }

  /** A command that takes the place of the {@code java} command, with its first arguments. */
  public ChildJvm launchedBy(String... command) {
    java = List.of(command);
    return this;
  }

  /** Arguments of {@code main}. */
  public ChildJvm args(String... more) {
    args.addAll(List.of(more));
    return this;
  }

  /** Puts the product on the module path, as the named module io.jvmtools. */
  public ChildJvm onModulePath() {
    onModulePath = true;
    return this;
  }

  /** Starts a jar whose manifest names the main class and the class path. */
  public ChildJvm startedAs(Path executable) {
    jar = executable;
    return this;
  }

  /** Leaves {@code -Xcheck:jni} out, for what is measured, or would be ended by it. */
  public ChildJvm withoutJniChecks() {
    jniChecks = false;
    return this;
  }

  /** Runs it to its end. */
  public ChildResult run() {
    return run(PATIENCE);
  }

  /** Runs it to its end, which is a failure if it has not come within a bound. */
  public ChildResult run(Duration bound) {
    try (RunningChild child = start(bound)) {
      return child.end();
    }
  }

  /** Starts it and leaves it running, to be talked to. */
  public RunningChild start() {
    return start(PATIENCE);
  }

  /** Starts it, to be talked to until a bound is over. */
  public RunningChild start(Duration bound) {
    List<String> command = command();
    ProcessBuilder builder = new ProcessBuilder(command);
    environment.forEach(
        (name, value) -> {
          if (value == null) {
            builder.environment().remove(name);
          } else {
            builder.environment().put(name, value);
          }
        });
    try {
      return new RunningChild(mainClass, command, builder.start(), bound);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot start " + command, e);
    }
  }

  private List<String> command() {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(java);
    if (jniChecks) {
      command.add("-Xcheck:jni");
    }
    command.add("-XX:ErrorFile=" + Installation.logs().resolve("hs_err_%p.log"));
    command.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
    // Some virtual threads of the tests keep their carriers; the last two JDK 21 lets sleep
    // (docs/proofs/Asleep.java).
    command.add("-Djdk.virtualThreadScheduler.parallelism=16");
    for (String name : List.of("jar", "library", "classpath", "logs", "root", "java")) {
      String value = System.getProperty("jvmtools.test." + name);
      if (value != null) {
        command.add("-Djvmtools.test." + name + "=" + value);
      }
    }
    command.addAll(jvmArgs);
    if (onModulePath) {
      command.addAll(
          List.of("--module-path", Installation.jar().toString(), "--add-modules", "io.jvmtools"));
    }
    command.addAll(
        jar == null
            ? List.of("-cp", joinedClassPath(), mainClass)
            : List.of("-jar", jar.toString()));
    command.addAll(args);
    return command;
  }

  private String joinedClassPath() {
    return classPath.stream()
        .filter(entry -> !(onModulePath && entry.equals(Installation.jar())))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
