package io.jvmtools.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * In an OSGi framework: the jar as a bundle beside the one that uses it, with its library in a
 * fragment, and embedded in it.
 */
@TestInstance(Lifecycle.PER_CLASS)
class OsgiTest {

  private static final Path SOURCES = ConsumerTest.ROOT.resolve("tests/consumers/osgi");
  private static final Path PRODUCT = Path.of(System.getProperty("jvmtools.test.jar"));
  private static final String EMBEDDING = "embedding";

  private Path folder;
  private String felix;
  private Path classes;
  private Path consumer;
  private Path embedding;

  @BeforeAll
  void build(@TempDir Path folder) throws IOException, InterruptedException {
    this.folder = folder;
    felix = Language.classPath("felix");
    classes = Files.createDirectory(folder.resolve("classes"));
    List<String> javac =
        List.of(
            Jdk.all().findFirst().orElseThrow().java(),
            "-m",
            "jdk.compiler/com.sun.tools.javac.Main",
            "-d",
            classes.toString(),
            "-cp",
            felix + ":" + PRODUCT,
            SOURCES.resolve("Launcher.java").toString(),
            SOURCES.resolve("Activator.java").toString());
    Run compiled = Run.of(folder, javac);
    assertThat(compiled.exitCode()).as(compiled.errors()).isZero();
    String packages = "org.osgi.framework,io.jvmtools,io.jvmtools.stack,io.jvmtools.thread";
    consumer = bundle("consumer", "Import-Package", packages);
    embedding =
        bundle(
            EMBEDDING,
            "Import-Package",
            "org.osgi.framework",
            "Bundle-ClassPath",
            ".,jvmtools.jar");
  }

  @Test
  void theManifestSaysWhatTheModuleDoes() throws IOException {
    try (JarFile jar = new JarFile(PRODUCT.toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      ModuleDescriptor module =
          ModuleFinder.of(PRODUCT).find("io.jvmtools").orElseThrow().descriptor();
      String version = ConsumerTest.VERSION;
      assertThat(manifest.getValue("Bundle-SymbolicName")).isEqualTo(module.name());
      assertThat(manifest.getValue("Bundle-Version")).isEqualTo(version);
      assertThat(manifest.getValue("Implementation-Version")).isEqualTo(version);
      assertThat(manifest.getValue("Export-Package").split(","))
          .containsExactlyInAnyOrderElementsOf(
              module.exports().stream()
                  .filter(exported -> !exported.isQualified())
                  .map(exported -> exported.source() + ";version=\"" + version + "\"")
                  .toList());
    }
  }

  @ParameterizedTest
  @MethodSource("io.jvmtools.consumers.Jdk#all")
  void asABundle(Jdk jdk) throws IOException, InterruptedException {
    assertThat(start(jdk, PRODUCT, consumer)).isEqualTo(answersFrom("io.jvmtools"));
  }

  @ParameterizedTest
  @MethodSource("io.jvmtools.consumers.Jdk#all")
  void theSlimJarWithTheLibraryAsAFragment(Jdk jdk) throws IOException, InterruptedException {
    Path slim =
        ConsumerTest.REPOSITORY.resolve("io/jvmtools/jvmtools-slim/" + ConsumerTest.VERSION);
    String name = "jvmtools-slim-" + ConsumerTest.VERSION;
    Path library = slim.resolve(name + "-natives-linux-x86_64.jar");
    assertThat(start(jdk, slim.resolve(name + ".jar"), library, consumer))
        .isEqualTo(answersFrom("io.jvmtools"));
  }

  @ParameterizedTest
  @MethodSource("io.jvmtools.consumers.Jdk#all")
  void embedded(Jdk jdk) throws IOException, InterruptedException {
    assertThat(start(jdk, embedding)).isEqualTo(answersFrom(EMBEDDING));
  }

  @ParameterizedTest
  @MethodSource("io.jvmtools.consumers.Jdk#all")
  void bothAtOnce(Jdk jdk) throws IOException, InterruptedException {
    assertThat(start(jdk, PRODUCT, consumer, embedding))
        .isEqualTo(answersFrom("io.jvmtools") + "\n" + answersFrom(EMBEDDING));
  }

  private static String answersFrom(String bundle) {
    return bundle + "\nRUNNABLE\nconsumer.Activator.start";
  }

  /** What the bundles print. */
  private String start(Jdk jdk, Path... bundles) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("-cp", classes + ":" + felix, "Launcher"));
    Stream.of(bundles).map(Path::toString).forEach(command::add);
    Run run = LanguagesTest.java(jdk, folder, command);
    assertThat(run.exitCode()).as(run.errors()).isZero();
    return run.output();
  }

  /** A bundle that calls the library when it is started. */
  private Path bundle(String name, String... headers) throws IOException {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Bundle-ManifestVersion", "2");
    attributes.putValue("Bundle-SymbolicName", name);
    attributes.putValue("Bundle-Activator", "consumer.Activator");
    for (int i = 0; i < headers.length; i += 2) {
      attributes.putValue(headers[i], headers[i + 1]);
    }
    Path bundle = folder.resolve(name + ".jar");
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(bundle), manifest)) {
      jar.putNextEntry(new ZipEntry("consumer/Activator.class"));
      Files.copy(classes.resolve("consumer/Activator.class"), jar);
      if (name.equals(EMBEDDING)) {
        jar.putNextEntry(new ZipEntry("jvmtools.jar"));
        Files.copy(PRODUCT, jar);
      }
    }
    return bundle;
  }
}
