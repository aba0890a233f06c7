package io.jvmtools.support;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;

/** Classes with the attribute {@code SourceDebugExtension}, which javac never writes. */
public final class SourceMapped {

  private static final int JAVA_17 = 61;
  private static final int ACC_SUPER = 0x20;

  /** Tags of constants. */
  private static final int CLASS = 7;

  private static final int UTF8 = 1;

  private SourceMapped() {}

  /** A class without members, of a loader of its own. */
  public static Class<?> type(String name, String extension) {
    return new OneClass().define(file(name, extension));
  }

  private static byte[] file(String name, String extension) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(0xCAFEBABE);
      out.writeShort(0);
      out.writeShort(JAVA_17);
      // The numbers of constants begin with 1.
      out.writeShort(6);
      writeClass(out, name, 2);
      writeClass(out, "java/lang/Object", 4);
      writeText(out, "SourceDebugExtension");
      out.writeShort(ACC_SUPER);
      out.writeShort(1);
      out.writeShort(3);
      // No interfaces, fields and methods, and the one attribute.
      out.write(new byte[6]);
      out.writeShort(1);
      out.writeShort(5);
      byte[] text = modifiedUtf8(extension);
      out.writeInt(text.length);
      out.write(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** A class, and behind it its name, which is the next constant. */
  private static void writeClass(DataOutputStream out, String name, int next) throws IOException {
    out.writeByte(CLASS);
    out.writeShort(next);
    writeText(out, name);
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    out.writeByte(UTF8);
    out.writeUTF(text);
  }

  /** Without the length that comes before it. */
  private static byte[] modifiedUtf8(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new DataOutputStream(bytes).writeUTF(text);
    return Arrays.copyOfRange(bytes.toByteArray(), 2, bytes.size());
  }

  private static final class OneClass extends ClassLoader {
    Class<?> define(byte[] file) {
      return defineClass(null, file, 0, file.length);
    }
  }
}
