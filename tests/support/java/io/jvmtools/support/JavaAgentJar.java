package io.jvmtools.support;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Agents of Java's own, whose classes are on the class path. */
public final class JavaAgentJar {

  private JavaAgentJar() {}

  /** Writes the jar of an agent that may change classes, and answers the file. */
  public static Path write(Path file, Class<?> premain) {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.putValue("Premain-Class", premain.getName());
    attributes.putValue("Can-Redefine-Classes", "true");
    attributes.putValue("Can-Retransform-Classes", "true");
    try (OutputStream out = Files.newOutputStream(file)) {
      new JarOutputStream(out, manifest).close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }
}
