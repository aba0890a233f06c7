package io.jvmtools.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/** Jars with one class, which no class loader finds by itself. */
public final class OneClassJar {

  private OneClassJar() {}

  /** Writes one with a class of this name, without members, and answers the file. */
  public static Path write(Path file, String className) {
    String name = className.replace('.', '/');
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
      jar.putNextEntry(new JarEntry(name + ".class"));
      jar.write(writer.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return file;
  }
}
