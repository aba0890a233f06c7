package io.jvmtools.consumers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.cyclonedx.Version;
import org.cyclonedx.parsers.JsonParser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What is published with the libraries of all platforms. The build runs in a copy of the sources;
 * the library of this machine is the real one, the others are a line of text.
 */
@TestInstance(Lifecycle.PER_CLASS)
class AllPlatformsTest {

  /** A row of {@code tests/platforms.tsv}. */
  record Row(String platform, String file) {
    String resource() {
      return "META-INF/native/" + platform + "/" + file;
    }
  }

  private static final Path ROOT = ConsumerTest.ROOT;
  private static final String VERSION = ConsumerTest.VERSION;
  private static final String HOST = "linux-x86_64";

  private Path scratch;
  private Path repository;

  static Stream<Row> platforms() throws IOException {
    return Files.readAllLines(ROOT.resolve("tests/platforms.tsv")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split("\t"))
        .map(row -> new Row(row[0], row[2]));
  }

  @BeforeAll
  void publish(@TempDir Path scratch) throws IOException, InterruptedException {
    this.scratch = scratch;
    Path natives = scratch.resolve("natives");
    for (Row row : platforms().toList()) {
      Path file = natives.resolve(row.platform()).resolve(row.file());
      Files.createDirectories(file.getParent());
      if (row.platform().equals(HOST)) {
        Files.copy(Path.of(System.getProperty("jvmtools.test.library")), file);
      } else {
        Files.writeString(file, "The library for " + row.platform());
      }
    }
    Path copy = scratch.resolve("copy");
    succeed(scratch, ROOT.resolve("gradle/copy-sources").toString(), copy.toString());
    succeed(
        copy,
        copy.resolve("gradle/run").toString(),
        "--no-daemon",
        "--quiet",
        "-Pnatives=" + natives,
        "publishAllPublicationsToLocalRepository");
    repository = copy.resolve("build/repo");
  }

  @Test
  void theFatJarCarriesEveryLibraryWithItsDigest() throws Exception {
    List<String> expected = new ArrayList<>();
    for (Row row : platforms().toList()) {
      expected.add(row.resource());
      expected.add(row.resource() + ".sha256");
    }
    Path jar = artifact("jvmtools", ".jar");

    assertThat(files(jar)).filteredOn(name -> name.startsWith("META-INF/native/")).hasSize(16);
    assertThat(files(jar)).containsAll(expected);
    for (Row row : platforms().toList()) {
      assertThatDigestFits(jar, row);
    }
  }

  @Test
  void theSlimJarHasTheSameClassesAndNoLibrary() throws IOException {
    assertThat(files(artifact("jvmtools-slim", ".jar")))
        .hasSizeGreaterThan(100)
        .containsExactlyInAnyOrderElementsOf(
            files(artifact("jvmtools", ".jar")).stream()
                .filter(name -> !name.startsWith("META-INF/native/"))
                .toList());
  }

  @ParameterizedTest
  @MethodSource("platforms")
  void aNativeJarIsAModuleWithNothingElse(Row row) throws Exception {
    Path jar = artifact("jvmtools-slim", "-natives-" + row.platform() + ".jar");

    assertThat(files(jar))
        .containsExactlyInAnyOrder(
            "META-INF/MANIFEST.MF",
            "module-info.class",
            row.resource(),
            row.resource() + ".sha256");
    assertThatDigestFits(jar, row);
    assertThat(ModuleFinder.of(jar).findAll())
        .singleElement()
        .satisfies(
            module -> {
              assertThat(module.descriptor().isAutomatic()).isFalse();
              assertThat(module.descriptor().packages()).isEmpty();
              assertThat(module.descriptor().toNameAndVersion())
                  .isEqualTo(
                      "io.jvmtools.natives." + row.platform().replace('-', '.') + "@" + VERSION);
            });
  }

  /** All native jars at once on one module path: their names do not clash. */
  @Test
  void allNativeJarsGoTogetherOnAModulePath() throws IOException {
    List<Path> jars = new ArrayList<>(List.of(artifact("jvmtools-slim", ".jar")));
    for (Row row : platforms().toList()) {
      jars.add(artifact("jvmtools-slim", "-natives-" + row.platform() + ".jar"));
    }
    assertThat(ModuleFinder.of(jars.toArray(new Path[0])).findAll()).hasSize(9);
  }

  @Test
  void gradleGetsTheJarOfTheRequestedPlatform() throws IOException, InterruptedException {
    Path project = scratch.resolve("variants");
    ConsumerTest.copy(ROOT.resolve("tests/consumers/gradle-variants"), project);
    List<String> names = platforms().map(Row::platform).toList();
    Run run =
        succeed(
            project,
            ROOT.resolve("gradle/run").toString(),
            "--no-daemon",
            "--quiet",
            "-Pjvmtools.repo=" + repository.toUri(),
            "-Pjvmtools.version=" + VERSION,
            "-Pplatforms=" + String.join(",", names),
            "variants");

    List<String> expected = new ArrayList<>();
    names.forEach(name -> expected.add(name + "\t" + String.join(" ", ConsumerTest.slim(name))));
    expected.add("none\tjvmtools-slim-" + VERSION + ".jar");
    assertThat(run.output().lines()).containsExactlyElementsOf(expected);
  }

  /**
   * The JVM of Maven is told to be elsewhere. It cannot be told to be on Windows: it loads a DLL.
   */
  @ParameterizedTest
  @CsvSource({
    "Linux, amd64, linux-x86_64",
    "Linux, aarch64, linux-aarch64",
    "Mac, x86_64, macos-x86_64",
    "Mac, aarch64, macos-aarch64"
  })
  void theMavenProfileChoosesByTheMachine(String os, String arch, String platform)
      throws IOException, InterruptedException {
    assertThat(mavenJars("MAVEN_OPTS=-Dos.name=" + os + " -Dos.arch=" + arch))
        .containsExactlyInAnyOrderElementsOf(ConsumerTest.slim(platform));
  }

  @Test
  void mavenTakesAnotherPlatformByName() throws IOException, InterruptedException {
    assertThat(mavenJars("MAVEN_OPTS=", "-Djvmtools.platform=windows-x86_64"))
        .containsExactlyInAnyOrderElementsOf(ConsumerTest.slim("windows-x86_64"));
  }

  @Test
  void thePomsAreCompleteAsMavenCentralAsks() throws Exception {
    for (String name : List.of("jvmtools", "jvmtools-slim", "jvmtools-bom")) {
      String pom = Files.readString(artifact(name, ".pom"));
      assertThat(pom)
          .as(name)
          .contains("<name>JvmTools", "<description>", "<url>https://")
          .contains("<license>", "<developer>", "<scm>", "<connection>scm:git:");
    }
    for (String name : List.of("jvmtools", "jvmtools-slim")) {
      assertThat(files(artifact(name, "-sources.jar")))
          .contains("io/jvmtools/JvmTools.java", "module-info.java");
      assertThat(files(artifact(name, "-javadoc.jar")))
          .contains("index.html", "io.jvmtools/io/jvmtools/JvmTools.html")
          .noneMatch(file -> file.contains("/internal/"));
    }
  }

  @Test
  void everyJarHasAValidBillOfMaterials() throws Exception {
    List<Path> bills = new ArrayList<>();
    bills.add(artifact("jvmtools", "-cyclonedx.json"));
    bills.add(artifact("jvmtools-slim", "-cyclonedx.json"));
    for (Row row : platforms().toList()) {
      bills.add(artifact("jvmtools-slim", "-natives-" + row.platform() + "-cyclonedx.json"));
    }
    for (Path bill : bills) {
      assertThat(new JsonParser().validate(bill.toFile(), Version.VERSION_16))
          .as("" + bill)
          .isEmpty();
      JsonNode json = new ObjectMapper().readTree(bill.toFile());
      assertThat(json.has("serialNumber")).isFalse();
      assertThat(json.get("metadata").has("timestamp")).isFalse();
      for (JsonNode component : json.get("components")) {
        assertThat(component.has("licenses")).as("" + component).isTrue();
        assertThat(component.has("version")).as("" + component).isTrue();
      }
    }
  }

  @Test
  void aBillListsTheCratesOfItsPlatform() throws Exception {
    String jni = "pkg:cargo/jni@" + locked("jni");
    String libc = "pkg:cargo/libc@" + locked("libc");

    assertThat(purls("-natives-linux-aarch64-musl"))
        .contains(jni, libc, "pkg:generic/jvmtools-agent@" + VERSION)
        .noneMatch(purl -> purl.contains("jspecify") || purl.contains("thiserror-impl"));
    assertThat(purls("-natives-windows-x86_64")).contains(jni).doesNotContain(libc);
    assertThat(purls("")).containsExactly("pkg:maven/org.jspecify/jspecify@1.0.0?type=jar");
  }

  @Test
  void theBillOfTheFatJarHasEachLibraryWithItsDigest() throws Exception {
    JsonNode bill = new ObjectMapper().readTree(artifact("jvmtools", "-cyclonedx.json").toFile());
    List<String> digests = new ArrayList<>();
    for (JsonNode component : bill.get("components")) {
      if (component.get("type").asText().equals("file")) {
        String digest = component.get("hashes").get(0).get("content").asText();
        digests.add(component.get("name").asText() + " " + digest);
      }
    }
    List<String> expected = new ArrayList<>();
    for (Row row : platforms().toList()) {
      byte[] digest = entry(artifact("jvmtools", ".jar"), row.resource() + ".sha256");
      expected.add(row.resource() + " " + new String(digest).strip());
    }
    assertThat(digests).containsExactlyInAnyOrderElementsOf(expected);
  }

  private List<String> mavenJars(String variable, String... properties)
      throws IOException, InterruptedException {
    Path project = Files.createTempDirectory(scratch, "maven");
    ConsumerTest.copy(ROOT.resolve("tests/consumers/maven-slim"), project);
    List<String> command = new ArrayList<>(List.of("env", variable));
    command.addAll(MavenConsumerTest.command(repository, "dependency:copy-dependencies"));
    command.add("-DoutputDirectory=target/lib");
    command.addAll(List.of(properties));
    succeed(project, command.toArray(new String[0]));
    try (Stream<Path> jars = Files.list(project.resolve("target/lib"))) {
      return jars.map(jar -> jar.getFileName().toString())
          .filter(name -> name.startsWith("jvmtools"))
          .toList();
    }
  }

  private List<String> purls(String classifier) throws IOException {
    Path bill = artifact("jvmtools-slim", classifier + "-cyclonedx.json");
    List<String> purls = new ArrayList<>();
    for (JsonNode component : new ObjectMapper().readTree(bill.toFile()).get("components")) {
      if (component.has("purl")) {
        purls.add(component.get("purl").asText());
      }
    }
    return purls;
  }

  /** The version of a crate in {@code Cargo.lock}. */
  private static String locked(String crate) throws IOException {
    List<String> lines = Files.readAllLines(ROOT.resolve("Cargo.lock"));
    String version = lines.get(lines.indexOf("name = \"" + crate + "\"") + 1);
    return version.replaceAll("version = |\"", "");
  }

  private Path artifact(String name, String ending) {
    return repository.resolve(
        "io/jvmtools/%s/%s/%s-%s%s".formatted(name, VERSION, name, VERSION, ending));
  }

  private static void assertThatDigestFits(Path jar, Row row) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(entry(jar, row.resource()));
    assertThat(new String(entry(jar, row.resource() + ".sha256")).strip())
        .as(row.platform())
        .isEqualTo(HexFormat.of().formatHex(digest));
  }

  private static byte[] entry(Path jar, String name) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile());
        InputStream in = zip.getInputStream(zip.getEntry(name))) {
      return in.readAllBytes();
    }
  }

  private static List<String> files(Path jar) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      return Collections.list(zip.entries()).stream()
          .filter(entry -> !entry.isDirectory())
          .map(ZipEntry::getName)
          .toList();
    }
  }

  private static Run succeed(Path directory, String... command)
      throws IOException, InterruptedException {
    Run run = Run.of(directory, List.of(command));
    assertThat(run.exitCode()).as(run.output() + run.errors()).isZero();
    return run;
  }
}
