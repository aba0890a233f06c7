package io.jvmtools.functions;

import static org.objectweb.asm.Opcodes.ACC_FINAL;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.ACC_SUPER;
import static org.objectweb.asm.Opcodes.V17;

import java.util.function.Consumer;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Classes that are there to be changed, and class files for them, of which most are wrong. */
public final class Changeable {

  public static final String NAME = "Changeable";

  /** A class that is its own superclass. */
  private static final String CIRCLE = "Circle";

  /** The first version that no JVM knows. */
  private static final int FUTURE = 0x7fff;

  private Changeable() {}

  /** A class file for the class, and what is different in it. */
  public enum Variant {
    SAME(file -> {}),
    OTHER_ANSWER(file -> file.answer = "2"),
    THIRD_ANSWER(file -> file.answer = "3"),
    OTHER_LINES(file -> file.line = 20),
    METHOD_ADDED(file -> file.method(ACC_PUBLIC, "more")),
    METHOD_DELETED(file -> file.leaves = true),
    METHOD_STATIC(file -> file.flags = ACC_PUBLIC | ACC_STATIC),
    FIELD_ADDED(file -> file.writer.visitField(ACC_PUBLIC, "more", "J", null, null).visitEnd()),
    OTHER_SUPERCLASS(file -> file.parent = "java/util/BitSet"),
    OTHER_INTERFACES(file -> file.interfaces = new String[] {"java/lang/Cloneable"}),
    FINAL(file -> file.access |= ACC_FINAL),
    NEST(file -> file.writer.visitNestMember("Changeable$Member")),
    OTHER_NAME(file -> file.name = "Other"),
    NEWER(file -> file.version = FUTURE),
    BROKEN_CODE(file -> file.broken = true),
    CIRCULAR(file -> file.parent = CIRCLE),
    NO_CLASS_FILE(file -> {}) {
      @Override
      public byte[] file() {
        return new byte[] {'n', 'o', 'n', 'e'};
      }
    },
    EMPTY(file -> {}) {
      @Override
      public byte[] file() {
        return new byte[0];
      }
    };

    private final Consumer<File> change;

    Variant(Consumer<File> change) {
      this.change = change;
    }

    public byte[] file() {
      File file = new File();
      change.accept(file);
      return file.write();
    }
  }

  /** What is written, with what a variant may say of it. */
  private static final class File {

    private final ClassWriter writer = new ClassWriter(0);
    private int version = V17;
    private int access = ACC_PUBLIC | ACC_SUPER;
    private int flags = ACC_PUBLIC;
    private String name = NAME;
    private String parent = "java/lang/Object";
    private String[] interfaces = {};
    private boolean leaves;
    private boolean broken;
    private String thrown;
    private String answer = "1";
    private int line = 10;

    void method(int flags, String name) {
      MethodVisitor method = writer.visitMethod(flags, name, "()Ljava/lang/Object;", null, null);
      method.visitCode();
      Label begin = new Label();
      method.visitLabel(begin);
      method.visitLineNumber(line, begin);
      if (broken) {
        method.visitInsn(Opcodes.IADD);
      }
      method.visitLdcInsn(answer);
      if (thrown != null) {
        // Whether that can be thrown has to be looked up.
        method.visitTypeInsn(Opcodes.CHECKCAST, thrown);
        method.visitInsn(Opcodes.ATHROW);
      } else {
        method.visitInsn(Opcodes.ARETURN);
      }
      method.visitMaxs(2, 1);
      method.visitEnd();
    }

    byte[] write() {
      // It does not mind that some members come first.
      writer.visit(version, access, name, null, parent, interfaces);
      writer.visitField(ACC_PUBLIC, "number", "I", null, null).visitEnd();
      MethodVisitor constructor = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
      constructor.visitCode();
      constructor.visitVarInsn(Opcodes.ALOAD, 0);
      constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, parent, "<init>", "()V", false);
      constructor.visitInsn(Opcodes.RETURN);
      constructor.visitMaxs(1, 1);
      constructor.visitEnd();
      method(flags, "answer");
      if (!leaves) {
        method(ACC_PUBLIC, "other");
      }
      writer.visitEnd();
      return writer.toByteArray();
    }
  }

  /** The class, of a loader of its own: it answers {@code "1"}. */
  public static Class<?> type() {
    return new Loader().define(Variant.SAME.file());
  }

  /** The same, of a loader that does something when it is asked for a class that there is not. */
  public static Class<?> type(Consumer<String> asked) {
    return new Loader(asked).define(Variant.SAME.file());
  }

  /** What an object of the class answers. */
  public static String answer(Object object) {
    try {
      return (String) object.getClass().getMethod("answer").invoke(object);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An object of the class. */
  public static Object make(Class<?> type) {
    try {
      return type.getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A class file that makes the verifier ask for a class. */
  public static byte[] naming(String other) {
    File file = new File();
    file.thrown = other;
    return file.write();
  }

  /** Finds a class that is its own superclass. */
  private static final class Loader extends ClassLoader {

    private final Consumer<String> asked;

    Loader() {
      this(name -> {});
    }

    Loader(Consumer<String> asked) {
      super(null);
      this.asked = asked;
    }

    Class<?> define(byte[] file) {
      return defineClass(null, file, 0, file.length);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      asked.accept(name);
      if (name.equals(CIRCLE)) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(V17, ACC_PUBLIC | ACC_SUPER, CIRCLE, null, CIRCLE, null);
        writer.visitEnd();
        return define(writer.toByteArray());
      }
      throw new ClassNotFoundException(name);
    }
  }
}
