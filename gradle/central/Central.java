import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Puts together a runnable Gradle from what Maven Central has, for machines that reach Central but
 * not Gradle's own server.
 *
 * <p>{@code dev.gradleplugins:gradle-api} is the whole of Gradle in one jar, but for the Kotlin
 * DSL, the instrumentation agent and the incremental-compilation plugin of javac, with third-party
 * packages moved under {@code org.gradle.internal.impldep}.
 *
 * <p>Run: {@code java Central.java VERSION JARS HOME}, where JARS holds the jars of {@code pom.xml}
 * and HOME is the directory to write.
 */
final class Central {
  /** Service files that the JVM itself would read from the class path. */
  private static final Set<String> SERVICES_OF_THE_JVM =
      Set.of(
          "META-INF/services/java.nio.file.spi.FileSystemProvider",
          "META-INF/services/java.security.Provider",
          "META-INF/services/javax.script.ScriptEngineFactory");

  /** Modules that Gradle asks for by name and that have no module properties in the big jar. */
  private static final List<String> MODULES_WITHOUT_PROPERTIES =
      List.of(
          "asm",
          "commons-lang",
          "gradle-daemon-main",
          "gradle-daemon-server",
          "gradle-installation-beacon",
          "gradle-instrumentation-agent",
          "gradle-java-compiler-plugin",
          "gradle-test-kit",
          "groovy-dateutil",
          "guava",
          "jul-to-slf4j",
          "kryo",
          "native-platform");

  /** What Gradle's own start script opens, and the exports that its compiler needs. */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
          "--add-opens=java.base/java.net=ALL-UNNAMED",
          "--add-opens=java.base/java.nio.charset=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
          "--add-opens=java.prefs/java.util.prefs=ALL-UNNAMED",
          "--add-exports=jdk.compiler/com.sun.tools.javac.api=ALL-UNNAMED",
          "--add-exports=jdk.compiler/com.sun.tools.javac.util=ALL-UNNAMED");

  /**
   * The plugin of javac that in-process compilation needs is not in the jar, so the javac command
   * is called, which takes the exports and opens that Error Prone needs as {@code -J} options.
   */
  private static final String INIT_SCRIPT =
      """
      gradle.projectsEvaluated {
          gradle.allprojects {
              tasks.withType(JavaCompile).configureEach {
                  options.incremental = false
                  options.fork = true
                  options.forkOptions.executable = javaCompiler.get().executablePath.asFile.path
                  options.forkOptions.jvmArgumentProviders.clear()
                  options.forkOptions.jvmArgs = options.forkOptions.jvmArgs.collect { '-J' + it }
              }
          }
      }
      """;

  private static final Pattern MODULE_PROPERTIES =
      Pattern.compile("(gradle-[a-z0-9-]+)-classpath\\.properties");

  private static final Pattern MOVED_TEST_PACKAGE =
      Pattern.compile(
          "org([/.])gradle\\1internal\\1impldep\\1"
              + "(org\\1junit|junit\\1|org\\1hamcrest|org\\1opentest4j)");

  private final String version;
  private final Path jars;
  private final Path home;
  private final String bigJar;

  private Central(String version, Path jars, Path home) {
    this.version = version;
    this.jars = jars;
    this.home = home;
    this.bigJar = "gradle-api-" + version + ".jar";
  }

  public static void main(String[] args) throws IOException {
    new Central(args[0], Path.of(args[1]), Path.of(args[2])).assemble();
  }

  private void assemble() throws IOException {
    for (String directory : List.of("lib/plugins", "bin", "init.d")) {
      Files.createDirectories(home.resolve(directory));
    }
    List<String> classPath = new ArrayList<>(List.of(bigJar));
    classPath.addAll(copySmallJars());
    Set<String> modules = copyBigJar();
    modules.addAll(MODULES_WITHOUT_PROPERTIES);
    for (String module : modules) {
      writeModule(module, classPath);
    }
    Files.writeString(
        home.resolve("gradle.properties"),
        """
        org.gradle.internal.instrumentation.agent=false
        org.gradle.welcome=never
        """);
    Files.writeString(home.resolve("init.d/central.gradle"), INIT_SCRIPT);
    writeStartScript();
  }

  private List<String> copySmallJars() throws IOException {
    List<Path> small;
    try (Stream<Path> files = Files.list(jars)) {
      small =
          files
              .filter(file -> file.toString().endsWith(".jar"))
              .filter(file -> !file.endsWith(bigJar))
              .sorted()
              .toList();
    }
    List<String> names = new ArrayList<>();
    for (Path jar : small) {
      Path target = home.resolve("lib").resolve(jar.getFileName());
      Files.copy(jar, target, StandardCopyOption.REPLACE_EXISTING);
      names.add(jar.getFileName().toString());
    }
    return names;
  }

  /** Returns the modules that have their properties in the big jar. */
  private Set<String> copyBigJar() throws IOException {
    Set<String> modules = new TreeSet<>();
    Set<String> seen = new HashSet<>();
    try (ZipFile in = new ZipFile(jars.resolve(bigJar).toFile());
        ZipOutputStream out = newZip(home.resolve("lib").resolve(bigJar))) {
      out.setLevel(1);
      for (ZipEntry entry : Collections.list(in.entries())) {
        String name = entry.getName();
        if (entry.isDirectory() || SERVICES_OF_THE_JVM.contains(name) || !seen.add(name)) {
          continue;
        }
        var properties = MODULE_PROPERTIES.matcher(name);
        if (properties.matches()) {
          modules.add(properties.group(1));
        }
        byte[] content = in.getInputStream(entry).readAllBytes();
        if (name.startsWith("org/gradle/api/internal/tasks/testing/") && name.endsWith(".class")) {
          content = moveTestPackagesBack(content);
        }
        write(out, name, content);
      }
    }
    return modules;
  }

  /** Gradle looks its modules up as jars: each leads to the big one. */
  private void writeModule(String module, List<String> classPath) throws IOException {
    Path jar = home.resolve("lib").resolve(module + "-" + version + ".jar");
    try (ZipOutputStream out = newZip(jar)) {
      String manifest = "Manifest-Version: 1.0\nClass-Path: " + bigJar + "\n";
      write(out, "META-INF/MANIFEST.MF", manifest.getBytes(UTF_8));
      String properties = "projects=\nruntime=" + String.join(",", classPath) + "\n";
      write(out, module + "-classpath.properties", properties.getBytes(UTF_8));
    }
  }

  private void writeStartScript() throws IOException {
    Path script = home.resolve("bin/gradle");
    Files.writeString(
        script,
        """
        #!/bin/sh
        home=$(dirname "$(dirname "$(readlink -f "$0")")")
        exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx1g %s $GRADLE_OPTS \\
          -cp "$home/lib/%s" org.gradle.launcher.GradleMain "$@"
        """
            .formatted(String.join(" ", JVM_OPTIONS), bigJar));
    if (!script.toFile().setExecutable(true)) {
      throw new IOException("cannot make " + script + " executable");
    }
  }

  /**
   * Gradle's test workers call the project's own JUnit: in their constant pools, the test packages
   * get their real names back.
   */
  private static byte[] moveTestPackagesBack(byte[] classFile) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(classFile));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(classFile.length);
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeLong(in.readLong()); // magic number and version
    int constants = in.readUnsignedShort();
    out.writeShort(constants);
    for (int i = 1; i < constants; i++) {
      int tag = in.readUnsignedByte();
      out.writeByte(tag);
      if (tag == 1) {
        out.writeUTF(MOVED_TEST_PACKAGE.matcher(in.readUTF()).replaceAll("$2"));
        continue;
      }
      int size = constantSize(tag);
      out.write(in.readNBytes(size));
      if (size == 8) {
        i++; // long and double take two entries
      }
    }
    out.write(in.readAllBytes());
    return bytes.toByteArray();
  }

  /** Bytes after the tag (JVMS 4.4). */
  private static int constantSize(int tag) {
    return switch (tag) {
      case 5, 6 -> 8;
      case 7, 8, 16, 19, 20 -> 2;
      case 15 -> 3;
      default -> 4;
    };
  }

  private static ZipOutputStream newZip(Path file) throws IOException {
    return new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 20));
  }

  private static void write(ZipOutputStream out, String name, byte[] content) throws IOException {
    out.putNextEntry(new ZipEntry(name));
    out.write(content);
    out.closeEntry();
  }
}
