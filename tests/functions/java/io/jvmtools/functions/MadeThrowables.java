package io.jvmtools.functions;

import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.RETURN;
import static org.objectweb.asm.Opcodes.V17;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;

/** Throwables of two packages, each of which extends one of the other. */
public final class MadeThrowables extends ClassLoader {

  public static final String OURS = "made.ours";

  private static final String CONSTRUCTOR = "(Ljava/lang/String;)V";

  public final Class<?> innermost = define("made/ours/Innermost", "java/lang/RuntimeException");
  public final Class<?> between = define("made/theirs/Between", "made/ours/Innermost");
  public final Class<?> outermost = define("made/ours/Outermost", "made/theirs/Between");

  /** Calls the constructor of what it extends. */
  private Class<?> define(String name, String parent) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(V17, ACC_PUBLIC | ACC_SUPER, name, null, parent, null);
    MethodVisitor constructor = writer.visitMethod(ACC_PUBLIC, "<init>", CONSTRUCTOR, null, null);
    constructor.visitCode();
    constructor.visitVarInsn(ALOAD, 0);
    constructor.visitVarInsn(ALOAD, 1);
    constructor.visitMethodInsn(INVOKESPECIAL, parent, "<init>", CONSTRUCTOR, false);
    constructor.visitInsn(RETURN);
    constructor.visitMaxs(2, 2);
    constructor.visitEnd();
    writer.visitEnd();
    byte[] file = writer.toByteArray();
    return defineClass(name.replace('/', '.'), file, 0, file.length);
  }

  public static Throwable make(Class<?> type, String message) {
    try {
      return (Throwable) type.getConstructor(String.class).newInstance(message);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
}
