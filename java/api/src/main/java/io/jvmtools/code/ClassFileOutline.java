package io.jvmtools.code;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a class file declares, without what its methods do.
 *
 * @param version its version
 * @param name the name of its class, with slashes
 * @param superName that of the superclass; empty if it has none
 * @param interfaces those of the interfaces
 * @param fields the flags of each field, by its name and its descriptor
 * @param methods the flags of each method, by its name and its descriptor
 */
record ClassFileOutline(
    ClassVersion version,
    String name,
    String superName,
    List<String> interfaces,
    Map<String, Integer> fields,
    Map<String, Integer> methods) {

  private static final int MAGIC = 0xcafebabe;

  /** Empty if that is no class file, so far as one has to look for this. */
  static Optional<ClassFileOutline> of(byte[] classFile) {
    try {
      ByteBuffer file = ByteBuffer.wrap(classFile);
      return file.getInt() == MAGIC ? Optional.of(read(file)) : Optional.empty();
    } catch (BufferUnderflowException | IllegalArgumentException noClassFile) {
      return Optional.empty();
    }
  }

  private static ClassFileOutline read(ByteBuffer file) {
    int minor = number(file);
    ClassVersion version = new ClassVersion(number(file), minor);
    ConstantPool pool = ConstantPool.read(file);
    // The flags of the class.
    number(file);
    String name = pool.className(number(file));
    int superclass = number(file);
    List<String> interfaces = new ArrayList<>();
    for (int count = number(file); count > 0; count--) {
      interfaces.add(pool.className(number(file)));
    }
    return new ClassFileOutline(
        version,
        name,
        superclass == 0 ? "" : pool.className(superclass),
        interfaces,
        members(file, pool, " "),
        members(file, pool, ""));
  }

  private static Map<String, Integer> members(ByteBuffer file, ConstantPool pool, String between) {
    Map<String, Integer> members = new TreeMap<>();
    for (int count = number(file); count > 0; count--) {
      int flags = number(file);
      String name = pool.text(number(file));
      members.put(name + between + pool.text(number(file)), flags);
      for (int attributes = number(file); attributes > 0; attributes--) {
        number(file);
        skip(file, file.getInt());
      }
    }
    return members;
  }

  private static void skip(ByteBuffer file, int length) {
    if (length < 0 || length > file.remaining()) {
      throw new BufferUnderflowException();
    }
    file.position(file.position() + length);
  }

  private static int number(ByteBuffer file) {
    return Short.toUnsignedInt(file.getShort());
  }
}
