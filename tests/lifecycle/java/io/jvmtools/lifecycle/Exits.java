package io.jvmtools.lifecycle;

import io.jvmtools.lifecycle.Ending.Neighbour;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** JVMs that end, several at a time; by hand as many as one likes: {@code ./dev exits 100}. */
final class Exits {

  private static final Duration BOUND = Duration.ofMinutes(1);
  private static final int AT_ONCE = Math.max(2, Runtime.getRuntime().availableProcessors());

  private Exits() {}

  /** Runs the endings on this JDK as often as the first argument says, beside those it names. */
  public static void main(String[] args) throws Exception {
    int runs = Integer.parseInt(args[0]);
    Path dir = Files.createTempDirectory("exits");
    for (Neighbour neighbour : neighbours(args)) {
      String what = "JDK " + Installation.feature() + ", " + neighbour + ": ";
      Optional<String> missing = missing(neighbour);
      if (missing.isPresent()) {
        System.out.println(what + missing.get());
        continue;
      }
      run(neighbour, runs, dir);
      System.out.println(what + runs * Ending.beside(neighbour).size() + " JVMs ended");
    }
  }

  private static List<Neighbour> neighbours(String[] args) {
    return args.length == 1
        ? List.of(Neighbour.values())
        : Stream.of(args).skip(1).map(Neighbour::valueOf).toList();
  }

  /** Why this JDK cannot have that neighbour. */
  static Optional<String> missing(Neighbour neighbour) {
    return switch (neighbour) {
      case NOBODY -> Optional.empty();
      case JAVA_AGENT -> missing("libinstrument.so", "this JDK has no Java agents");
      case DEBUGGER -> missing("libjdwp.so", "this JDK has no debugger agent");
    };
  }

  private static Optional<String> missing(String library, String reason) {
    return Installation.hasJdkLibrary(library) ? Optional.empty() : Optional.of(reason);
  }

  /** Runs each ending beside {@code neighbour}; after the first that fails no other begins. */
  static void run(Neighbour neighbour, int runs, Path dir) throws Exception {
    Path agent = neighbour == Neighbour.JAVA_AGENT ? agent(dir.resolve("agent.jar")) : null;
    Queue<Ending> left = new ConcurrentLinkedQueue<>();
    for (Ending ending : Ending.beside(neighbour)) {
      left.addAll(Collections.nCopies(runs, ending));
    }
    AtOnce.run(
        AT_ONCE,
        number -> {
          for (Ending next = left.poll(); next != null; next = left.poll()) {
            try {
              with(neighbour, agent, next.child()).run(BOUND).endsWith(next.kind().exitCode());
            } catch (AssertionError failure) {
              left.clear();
              throw new AssertionError(next.toString(), failure);
            }
          }
        });
  }

  private static ChildJvm with(Neighbour neighbour, Path agent, ChildJvm child) {
    return switch (neighbour) {
      case NOBODY -> child;
      case JAVA_AGENT -> child.jvmArgs("-javaagent:" + agent);
      // The debugger's own agent makes -Xcheck:jni complain.
      case DEBUGGER ->
          child
              .withoutJniChecks()
              .jvmArgs("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0");
    };
  }

  /** A jar that names the agent below; the class itself is on the class path. */
  private static Path agent(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", Agent.class.getName());
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }

  /** Does nothing: that it is there is enough. */
  static final class Agent {
    public static void premain(String options, Instrumentation instrumentation) {}
  }
}
