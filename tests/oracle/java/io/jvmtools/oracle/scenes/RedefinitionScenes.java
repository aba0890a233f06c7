package io.jvmtools.oracle.scenes;

import io.jvmtools.functions.Changeable;
import io.jvmtools.functions.Changeable.Variant;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import io.jvmtools.support.SourceMapped;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Constant pools, class files that are exchanged, and natives that are looked for by other names.
 */
final class RedefinitionScenes implements Scenes {

  private final Notes notes;
  private final Observer observer;
  private final Observer bare;

  RedefinitionScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.observer =
        source.open(
            "can_get_constant_pool",
            "can_redefine_classes",
            "can_retransform_classes",
            "can_set_native_method_prefix");
    this.bare = source.open();
  }

  /** Whose static initialiser fails. */
  private static final class Failing {
    static final int NUMBER = Integer.parseInt("none");
  }

  @Override
  public void play() {
    Runnable lambda = () -> {};
    pool("ofString", String.class);
    pool("ofInterface", List.class);
    pool("unlinked", SourceMapped.type("Unlinked", ""));
    pool("ofChangeable", Changeable.type());
    pool("ofArray", int[].class);
    pool("ofPrimitive", int.class);
    notes.note("GetConstantPool.withoutCapability", () -> bare.getConstantPool(String.class));
    for (Variant variant : Variant.values()) {
      redefine(variant);
    }
    unmodifiable("hidden", lambda.getClass());
    unmodifiable("array", int[].class);
    unmodifiable("primitive", int.class);
    inError();
    byte[] same = Variant.SAME.file();
    notes.note(
        "RedefineClasses.withoutCapability", () -> bare.redefineClasses(Changeable.type(), same));
    notes.note(
        "RetransformClasses.withoutCapability", () -> bare.retransformClasses(Changeable.type()));
    notes.note("RetransformClasses.unlinked", () -> observer.retransformClasses(Changeable.type()));
    prefixes();
    notes.answer(observer::disposeEnvironment);
    notes.answer(bare::disposeEnvironment);
  }

  private void pool(String scenario, Class<?> type) {
    notes.note("GetConstantPool." + scenario, () -> observer.getConstantPool(type));
  }

  /** And anew of it, and what its constants are then. */
  private void redefine(Variant variant) {
    Class<?> type = Changeable.type();
    Object object = Changeable.make(type);
    notes.note(
        "RedefineClasses." + variant,
        () -> observer.redefineClasses(type, variant.file()),
        () -> Changeable.answer(object),
        () -> observer.redefineClasses(type, Variant.THIRD_ANSWER.file()),
        () -> Changeable.answer(object));
    notes.note(
        "RetransformClasses." + variant,
        () -> observer.retransformClasses(type),
        () -> Changeable.answer(object));
    pool("after_" + variant, type);
  }

  private void unmodifiable(String scenario, Class<?> type) {
    byte[] file = Variant.SAME.file();
    notes.note("RedefineClasses." + scenario, () -> observer.redefineClasses(type, file));
    notes.note("RetransformClasses." + scenario, () -> observer.retransformClasses(type));
  }

  private void inError() {
    try {
      Notes.require("none", String.valueOf(Failing.NUMBER));
    } catch (ExceptionInInitializerError failed) {
      notes.note(
          "RedefineClasses.inError",
          () -> observer.redefineClasses(Failing.class, ClassFiles.of(Failing.class)));
      notes.note("RetransformClasses.inError", () -> observer.retransformClasses(Failing.class));
    }
  }

  private void prefixes() {
    notes.note(
        "SetNativeMethodPrefix.links",
        () -> links("oracle_exit"),
        () -> observer.setNativeMethodPrefix("oracle_"),
        () -> links("oracle_exit"),
        () -> links("exit"),
        () -> observer.setNativeMethodPrefix(""),
        () -> links("oracle_exit"));
    notes.note(
        "SetNativeMethodPrefix.odd",
        () -> observer.setNativeMethodPrefix("\0"),
        () -> observer.setNativeMethodPrefix("\ud83d\ude00"),
        () -> links("\ud83d\ude00exit"));
    notes.note(
        "SetNativeMethodPrefix.withoutCapability", () -> bare.setNativeMethodPrefix("bare_"));
    notes.note(
        "SetNativeMethodPrefixes.links",
        () -> observer.setNativeMethodPrefixes(new String[] {"in_", "out_"}),
        () -> links("out_in_exit"),
        () -> links("in_out_exit"),
        () -> links("out_exit"));
    notes.note(
        "SetNativeMethodPrefixes.none",
        () -> observer.setNativeMethodPrefixes(new String[0]),
        () -> links("in_exit"));
    notes.note(
        "SetNativeMethodPrefixes.withoutCapability",
        () -> bare.setNativeMethodPrefixes(new String[] {"bare_"}));
  }

  /**
   * Whether a native of this name is linked to one of the oracle's agent, in which the JVM looks
   * for every loader: it refuses to leave a monitor that nobody has entered.
   */
  private static String links(String name) {
    ClassWriter writer = new ClassWriter(0);
    String internal = NativeCode.class.getName().replace('.', '/');
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, internal, null, "java/lang/Object", null);
    MethodVisitor method =
        writer.visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC | Opcodes.ACC_NATIVE,
            name,
            "(Ljava/lang/Object;)V",
            null,
            null);
    method.visitEnd();
    if (!name.equals("exit")) {
      around(writer);
    }
    writer.visitEnd();
    byte[] file = writer.toByteArray();
    Class<?> type =
        new ClassLoader(null) {
          Class<?> define() {
            return defineClass(null, file, 0, file.length);
          }
        }.define();
    try {
      type.getMethod(name, Object.class).invoke(null, new Object());
      return "linked";
    } catch (InvocationTargetException e) {
      return e.getCause().getClass().getSimpleName();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The method that the native has been renamed for. */
  private static void around(ClassWriter writer) {
    MethodVisitor method =
        writer.visitMethod(
            Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "exit", "(Ljava/lang/Object;)V", null, null);
    method.visitCode();
    method.visitInsn(Opcodes.RETURN);
    method.visitMaxs(0, 1);
    method.visitEnd();
  }
}
