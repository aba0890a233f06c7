import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.packageurl.MalformedPackageURLException;
import com.github.packageurl.PackageURL;
import com.github.packageurl.PackageURLBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.cyclonedx.Version;
import org.cyclonedx.generators.BomGeneratorFactory;
import org.cyclonedx.model.Bom;
import org.cyclonedx.model.Component;
import org.cyclonedx.model.Dependency;
import org.cyclonedx.model.Hash;
import org.cyclonedx.model.LicenseChoice;
import org.cyclonedx.model.Metadata;
import org.cyclonedx.model.license.Expression;
import org.cyclonedx.util.LicenseResolver;
import org.w3c.dom.Document;

/**
 * Writes the CycloneDX bill of one jar. Everything is sorted and nothing in it is a time or a
 * random number: the same jar has the same bill.
 *
 * <p>Run in the root of the project, with cyclonedx-core-java on the class path: {@code java
 * Sbom.java OUTPUT GROUP NAME VERSION CLASSIFIER DESCRIPTION [--pom FILE]... [--native PLATFORM
 * RUST_TARGET DIRECTORY FILE]...}, where FILE is the library's place in the jar, below DIRECTORY.
 */
final class Sbom {
  private static final String OUR_LICENSE = "Apache-2.0";
  private static final String AGENT = "jvmtools-agent";

  private final Map<String, Component> components = new TreeMap<>();
  private final Map<String, Set<String>> dependencies = new TreeMap<>();

  public static void main(String[] args) throws Exception {
    Sbom sbom = new Sbom();
    Component jar = sbom.jar(args[1], args[2], args[3], args[4], args[5]);
    for (int i = 6; i < args.length; ) {
      if (args[i].equals("--pom")) {
        sbom.addJava(jar, Path.of(args[i + 1]));
        i += 2;
      } else {
        sbom.addNative(jar, args[i + 1], args[i + 2], Path.of(args[i + 3]), args[i + 4]);
        i += 5;
      }
    }
    Files.writeString(Path.of(args[0]), sbom.json(jar) + "\n");
  }

  private Component jar(
      String group, String name, String version, String classifier, String description)
      throws MalformedPackageURLException {
    Component jar = component(Component.Type.LIBRARY, name, version);
    jar.setGroup(group);
    jar.setDescription(description);
    jar.setLicenses(expression(OUR_LICENSE));
    PackageURLBuilder purl = purl("maven", name, version).withNamespace(group);
    if (!classifier.isEmpty()) {
      purl.withQualifier("classifier", classifier);
    }
    identify(jar, purl.withQualifier("type", "jar").build());
    return jar;
  }

  /** Our modules need these to compile, and nothing of them to run. */
  private void addJava(Component jar, Path pom) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    XPath path = XPathFactory.newInstance().newXPath();
    String group = path.evaluate("/project/groupId", document);
    String version = path.evaluate("/project/version", document);
    String license = path.evaluate("/project/licenses/license/name", document);
    Component component =
        component(Component.Type.LIBRARY, path.evaluate("/project/artifactId", document), version);
    component.setGroup(group);
    component.setScope(Component.Scope.OPTIONAL);
    LicenseChoice known = LicenseResolver.resolve(license, false);
    if (group.isEmpty() || version.isEmpty() || known == null) {
      throw new IOException(pom + " does not say its group, version and a licence of the SPDX");
    }
    component.setLicenses(known);
    PackageURLBuilder purl = purl("maven", component.getName(), version).withNamespace(group);
    identify(component, purl.withQualifier("type", "jar").build());
    add(jar.getBomRef(), component);
  }

  private void addNative(Component jar, String platform, String target, Path directory, String file)
      throws Exception {
    byte[] bytes = Files.readAllBytes(directory.resolve(file));
    Component library = component(Component.Type.FILE, file, jar.getVersion());
    library.setBomRef(file);
    library.setScope(Component.Scope.REQUIRED);
    library.setDescription("The native library for " + platform);
    library.setLicenses(expression(OUR_LICENSE));
    library.addHash(new Hash(Hash.Algorithm.SHA_256, sha256(bytes)));
    add(jar.getBomRef(), library);
    addCrates(library, target);
    addStandardLibrary(library);
  }

  /** The crates that are linked: no procedural macros, and nothing only for builds or tests. */
  private void addCrates(Component library, String target) throws Exception {
    // Linkers take a version of glibc after the target.
    String plainTarget = target.replaceFirst("\\..*", "");
    JsonNode metadata =
        new ObjectMapper()
            .readTree(
                output(
                    "cargo",
                    "metadata",
                    "--locked",
                    "--format-version=1",
                    "--filter-platform=" + plainTarget));
    Map<String, JsonNode> packages = new HashMap<>();
    metadata.get("packages").forEach(crate -> packages.put(crate.get("id").asText(), crate));
    Map<String, JsonNode> nodes = new HashMap<>();
    metadata.get("resolve").get("nodes").forEach(node -> nodes.put(node.get("id").asText(), node));

    String root =
        packages.keySet().stream()
            .filter(id -> packages.get(id).get("name").asText().equals(AGENT))
            .findFirst()
            .orElseThrow();
    Component agent = crate(packages.get(root));
    add(library.getBomRef(), agent);
    Map<String, String> seen = new HashMap<>(Map.of(root, agent.getBomRef()));
    Deque<String> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      String id = open.pop();
      for (JsonNode dependency : nodes.get(id).get("deps")) {
        String to = dependency.get("pkg").asText();
        if (!isNormal(dependency) || isMacro(packages.get(to))) {
          continue;
        }
        Component crate = crate(packages.get(to));
        add(seen.get(id), crate);
        if (seen.put(to, crate.getBomRef()) == null) {
          open.push(to);
        }
      }
    }
  }

  private static boolean isNormal(JsonNode dependency) {
    for (JsonNode kind : dependency.get("dep_kinds")) {
      if (kind.get("kind").isNull()) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMacro(JsonNode crate) {
    for (JsonNode target : crate.get("targets")) {
      if (target.get("kind").toString().contains("proc-macro")) {
        return true;
      }
    }
    return false;
  }

  /** Our own crates are on no registry. */
  private static Component crate(JsonNode crate) throws MalformedPackageURLException {
    String name = crate.get("name").asText();
    String version = crate.get("version").asText();
    Component component = component(Component.Type.LIBRARY, name, version);
    component.setScope(Component.Scope.REQUIRED);
    component.setDescription(crate.path("description").asText("").strip().replaceAll("\\s+", " "));
    // Older crates separate alternatives by a slash.
    String license = crate.path("license").asText("").replace("/", " OR ");
    component.setLicenses(expression(license));
    String type = crate.get("source").isNull() ? "generic" : "cargo";
    identify(component, purl(type, name, version).build());
    return component;
  }

  private void addStandardLibrary(Component library) throws Exception {
    String version =
        output("rustc", "-vV")
            .lines()
            .filter(line -> line.startsWith("release: "))
            .findFirst()
            .orElseThrow()
            .substring("release: ".length());
    Component std = component(Component.Type.LIBRARY, "std", version);
    std.setScope(Component.Scope.REQUIRED);
    std.setDescription("The Rust standard library");
    std.setLicenses(expression("MIT OR Apache-2.0"));
    identify(std, purl("generic", "rust-std", version).build());
    add(library.getBomRef(), std);
  }

  private void add(String from, Component component) {
    components.put(component.getBomRef(), component);
    dependencies.computeIfAbsent(from, unused -> new TreeSet<>()).add(component.getBomRef());
  }

  private String json(Component jar) throws Exception {
    Metadata metadata = new Metadata();
    metadata.setTimestamp(null);
    metadata.setComponent(jar);
    Bom bom = new Bom();
    bom.setMetadata(metadata);
    bom.setComponents(List.copyOf(components.values()));
    bom.addDependency(dependency(jar.getBomRef()));
    components.keySet().forEach(ref -> bom.addDependency(dependency(ref)));
    return BomGeneratorFactory.createJson(Version.VERSION_16, bom).toJsonString().strip();
  }

  private Dependency dependency(String from) {
    Dependency dependency = new Dependency(from);
    dependencies
        .getOrDefault(from, Set.of())
        .forEach(to -> dependency.addDependency(new Dependency(to)));
    return dependency;
  }

  private static Component component(Component.Type type, String name, String version) {
    Component component = new Component();
    component.setType(type);
    component.setName(name);
    component.setVersion(version);
    return component;
  }

  private static void identify(Component component, PackageURL purl) {
    component.setPurl(purl);
    component.setBomRef(purl.canonicalize());
  }

  private static PackageURLBuilder purl(String type, String name, String version) {
    return PackageURLBuilder.aPackageURL().withType(type).withName(name).withVersion(version);
  }

  private static LicenseChoice expression(String spdx) {
    if (spdx.isEmpty()) {
      throw new IllegalArgumentException("A crate does not say its licence");
    }
    LicenseChoice choice = new LicenseChoice();
    choice.setExpression(new Expression(spdx));
    return choice;
  }

  private static String sha256(byte[] bytes) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static String output(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(process.getInputStream().readAllBytes());
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed");
    }
    return output;
  }
}
