package io.jvmtools.functions;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** Class files of the tests themselves, with names that a compiler would not write. */
public final class ClassFiles {

  private static final int UTF8 = 1;

  /** Bytes of a constant of each kind, without its tag; -1 for kinds that need a look. */
  private static final int[] LENGTHS = {
    -1, -1, -1, 4, 4, 8, 8, 2, 2, 4, 4, 4, 4, -1, -1, 3, 2, 4, 4, 2, 2
  };

  private ClassFiles() {}

  /** The class file of a class. */
  public static byte[] of(Class<?> type) {
    String name = "/" + type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getResourceAsStream(name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same without lines and source file: attributes that the JVM does not know are ignored. */
  public static byte[] withoutDebugInformation(byte[] file) {
    return renamed(file, Map.of("LineNumberTable", "Unknown", "SourceFile", "Unknown"));
  }

  /** The same with other text in some constants. */
  public static byte[] renamed(byte[] file, Map<String, String> names) {
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        DataOutputStream out = new DataOutputStream(result)) {
      out.write(in.readNBytes(8));
      int count = in.readUnsignedShort();
      out.writeShort(count);
      for (int i = 1; i < count; i++) {
        int tag = in.readUnsignedByte();
        out.writeByte(tag);
        if (tag == UTF8) {
          String text = in.readUTF();
          out.writeUTF(names.getOrDefault(text, text));
        } else {
          out.write(in.readNBytes(LENGTHS[tag]));
          // A long or a double counts as two constants.
          i += LENGTHS[tag] == 8 ? 1 : 0;
        }
      }
      out.write(in.readAllBytes());
      return result.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Defines one class, and finds the others where this class comes from. */
  public static final class Loader extends ClassLoader {

    public Loader(String name) {
      super(name, ClassFiles.class.getClassLoader());
    }

    /** A {@link Relay}, from this class file, to somewhere. */
    public Runnable relay(byte[] file, Runnable next) {
      return instance(defineClass(null, file, 0, file.length), next);
    }
  }

  /** Makes a copy of {@link Relay} that calls on. */
  public static Runnable instance(Class<?> relay, Runnable next) {
    try {
      return (Runnable) relay.getConstructor(Runnable.class).newInstance(next);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
