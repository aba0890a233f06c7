package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_FORCE_EARLY_RETURN;
import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_POP_FRAME;
import static io.jvmtools.Capability.CAN_REDEFINE_CLASSES;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.Jvmti;
import io.jvmtools.NotSupportedException;
import io.jvmtools.code.Breakpoint;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.support.Eventually;
import java.lang.reflect.Field;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Frames of classes that get another class file: HotSpot would crash where the caller of one that
 * is popped is compiled, whichever of the two comes first.
 */
@OnlyUnderTheAgent
class RedefinedFramesTest {

  /** Turns in a method that neither calls nor throws, until all is over. */
  public static final class Turning implements Runnable {

    public static volatile boolean over;
    public static volatile int turned;

    public Turning() {}

    @Override
    public void run() {
      while (!over) {
        turned = 1;
      }
    }
  }

  /** A thread in the method of a copy of that class, which is this test's alone. */
  private static final class Copy extends ClassLoader implements AutoCloseable {

    private final byte[] file = ClassFiles.of(Turning.class);
    private final Class<?> type = defineClass(null, file, 0, file.length);
    private final Thread thread;

    Copy() throws ReflectiveOperationException {
      super(Turning.class.getClassLoader());
      thread = new Thread((Runnable) type.getConstructor().newInstance(), "turning");
      thread.setDaemon(true);
      thread.start();
      awaitTurn();
    }

    /** Once it turns anew. */
    void awaitTurn() throws ReflectiveOperationException {
      Field turned = type.getField("turned");
      turned.setInt(null, 0);
      Eventually.isTrue("it turns", () -> isOne(turned));
    }

    private static boolean isOne(Field field) {
      try {
        return field.getInt(null) == 1;
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }

    void redefine(Jvmti jvmti) {
      jvmti.classes().redefine(type, file);
    }

    @Override
    public void close() {
      try {
        type.getField("over").setBoolean(null, true);
        thread.join();
      } catch (ReflectiveOperationException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static Jvmti open() {
    return Jvmti.open(CAN_SUSPEND, CAN_POP_FRAME, CAN_FORCE_EARLY_RETURN, CAN_REDEFINE_CLASSES);
  }

  /** PopFrame. */
  @Test
  void areNotPoppedOnceTheyHaveIt() throws Exception {
    try (Jvmti jvmti = open();
        Copy copy = new Copy()) {
      jvmti.threads().suspend(copy.thread);
      copy.redefine(jvmti);
      assertThatThrownBy(() -> jvmti.frames().pop(copy.thread))
          .isInstanceOf(NotSupportedException.class)
          .hasMessageContaining("has been given another class file");
      jvmti.frames().forceReturn(copy.thread);
      jvmti.threads().resume(copy.thread);
      copy.thread.join();
    }
  }

  /** RedefineClasses. */
  @Test
  void areNotGivenItBeforeThePoppedOneHasRun() throws Exception {
    try (Jvmti jvmti = open();
        Copy copy = new Copy()) {
      jvmti.threads().suspend(copy.thread);
      jvmti.frames().pop(copy.thread);
      assertThatThrownBy(() -> copy.redefine(jvmti))
          .isExactlyInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is to call a method of one of the classes again");
      jvmti.threads().resume(copy.thread);
      copy.redefine(jvmti);
      copy.awaitTurn();
      assertThat(copy.thread.isAlive()).isTrue();
    }
  }

  /** SetBreakpoint: it would be there for longer than the method. */
  @Test
  void areNotStoppedInWhatTheyWere() throws Exception {
    try (Jvmti jvmti = open();
        Copy copy = new Copy()) {
      jvmti.add(CAN_GENERATE_BREAKPOINT_EVENTS);
      jvmti.threads().suspend(copy.thread);
      jvmti.classes().redefine(copy.type, longer(copy.file));
      JvmMethod old = jvmti.frames().at(copy.thread, 0).method();
      assertThat(jvmti.methods().isObsolete(old)).isTrue();
      assertThatThrownBy(() -> jvmti.breakpoints().set(old, 0))
          .isInstanceOf(NotSupportedException.class)
          .hasMessageContaining("before its class got another class file");
      JvmMethod now = JvmMethod.of(copy.type.getMethod("run"));
      jvmti.breakpoints().set(now, 0);
      copy.redefine(jvmti);
      assertThat(jvmti.breakpoints().all()).isEqualTo(List.of(new Breakpoint(now, 0)));
      jvmti.threads().resume(copy.thread);
    }
  }

  /** The same class with an idle bytecode at the begin of each method. */
  private static byte[] longer(byte[] file) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(file)
        .accept(
            new ClassVisitor(Opcodes.ASM9, writer) {
              @Override
              public MethodVisitor visitMethod(
                  int access, String name, String type, String signature, String[] exceptions) {
                MethodVisitor next = super.visitMethod(access, name, type, signature, exceptions);
                return new MethodVisitor(Opcodes.ASM9, next) {
                  @Override
                  public void visitCode() {
                    super.visitCode();
                    visitInsn(Opcodes.NOP);
                  }
                };
              }
            },
            0);
    return writer.toByteArray();
  }
}
