package io.jvmtools.loading;

import io.jvmtools.support.Installation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.condition.OS;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/** Jars made of that of the product, as build tools and packagers make them. */
final class Jars {

  /** Where a relocated jar has the class {@link Use}. */
  static final String RELOCATED_USE = "com.acme.shaded.jvmtools.loading.Use";

  private static final String FILE = System.mapLibraryName("jvmtools");
  private static final String USE = Use.class.getName().replace('.', '/') + ".class";

  private Jars() {}

  /** The product and the class {@link Use} in one jar without a module descriptor. */
  static Path uber(Path jar) throws IOException {
    return write(jar, uber());
  }

  /** The same, with every {@code io.jvmtools} renamed, in constants too; the resources stay. */
  static Path relocated(Path jar) throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    for (Map.Entry<String, byte[]> entry : uber().entrySet()) {
      boolean code = entry.getKey().endsWith(".class");
      entries.put(renamed(entry.getKey()), code ? relocated(entry.getValue()) : entry.getValue());
    }
    return write(jar, entries);
  }

  /** The uber jar with other libraries: the bytes by platform, each with its checksum. */
  static Path withLibraries(Path jar, Map<String, byte[]> libraries) throws IOException {
    Map<String, byte[]> entries = uber();
    entries.keySet().removeIf(name -> name.startsWith("META-INF/native/"));
    libraries.forEach(
        (platform, bytes) -> {
          String name = "META-INF/native/" + platform + "/" + FILE;
          entries.put(name, bytes);
          entries.put(name + ".sha256", sha256(bytes).getBytes(StandardCharsets.US_ASCII));
        });
    return write(jar, entries);
  }

  /** The uber jar with one library, which is not what its checksum says. */
  static Path damaged(Path jar) throws IOException {
    Map<String, byte[]> entries = uber();
    String host = "META-INF/native/" + host() + "/";
    entries
        .keySet()
        .removeIf(name -> name.startsWith("META-INF/native/") && !name.startsWith(host));
    byte[] library = entries.get(host + FILE);
    library[library.length / 2] ^= 1;
    return write(jar, entries);
  }

  /** The class {@link Use} alone. */
  static Path use(Path jar) throws IOException {
    return write(jar, Map.of(USE, uber().get(USE)));
  }

  /** The platform of this machine with glibc, as the directories are called. */
  static String host() {
    String system = OS.WINDOWS.isCurrentOs() ? "windows-" : "linux-";
    return system + System.getProperty("os.arch").replace("amd64", "x86_64");
  }

  private static Map<String, byte[]> uber() throws IOException {
    Map<String, byte[]> entries = new TreeMap<>();
    try (JarFile product = new JarFile(Installation.jar().toFile())) {
      for (JarEntry entry : product.stream().toList()) {
        if (!entry.isDirectory() && !entry.getName().equals("module-info.class")) {
          try (InputStream bytes = product.getInputStream(entry)) {
            entries.put(entry.getName(), bytes.readAllBytes());
          }
        }
      }
    }
    try (InputStream use = Use.class.getResourceAsStream("/" + USE)) {
      entries.put(USE, use.readAllBytes());
    }
    return entries;
  }

  private static Path write(Path jar, Map<String, byte[]> entries) throws IOException {
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (Map.Entry<String, byte[]> entry : new TreeMap<>(entries).entrySet()) {
        out.putNextEntry(new JarEntry(entry.getKey()));
        out.write(entry.getValue());
      }
    }
    return jar;
  }

  private static byte[] relocated(byte[] classFile) {
    ClassWriter writer = new ClassWriter(0);
    Remapper remapper =
        new Remapper(Opcodes.ASM9) {
          @Override
          public String map(String name) {
            return renamed(name);
          }

          @Override
          public Object mapValue(Object value) {
            return value instanceof String text ? renamed(text) : super.mapValue(value);
          }
        };
    new ClassReader(classFile).accept(new ClassRemapper(writer, remapper), 0);
    return writer.toByteArray();
  }

  private static String renamed(String name) {
    return name.replace("io/jvmtools", "com/acme/shaded/jvmtools")
        .replace("io.jvmtools", "com.acme.shaded.jvmtools");
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
