package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.stack.LocalVariable;
import io.jvmtools.stack.StackFrame;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Variables of classes that no compiler of today writes: what would crash the JVM is refused. */
@OnlyUnderTheAgent
class OddClassesTest {

  private static final int TYPE_MISMATCH = 34;
  private static final int VARIABLE = 1;

  /** No verifier reads a table of variables: here it calls a StringBuilder an Integer. */
  @Test
  void aTableThatIsWrongIsNotBelieved() {
    Consumer<MethodVisitor> body =
        method -> {
          Label start = new Label();
          Label end = new Label();
          String builder = Type.getInternalName(StringBuilder.class);
          method.visitTypeInsn(Opcodes.NEW, builder);
          method.visitInsn(Opcodes.DUP);
          method.visitMethodInsn(Opcodes.INVOKESPECIAL, builder, "<init>", "()V", false);
          method.visitVarInsn(Opcodes.ASTORE, VARIABLE);
          method.visitLabel(start);
          stay(method);
          method.visitVarInsn(Opcodes.ALOAD, VARIABLE);
          method.visitInsn(Opcodes.ICONST_0);
          method.visitMethodInsn(Opcodes.INVOKEVIRTUAL, builder, "setLength", "(I)V", false);
          method.visitLabel(end);
          method.visitInsn(Opcodes.RETURN);
          String wrong = Type.getDescriptor(Integer.class);
          method.visitLocalVariable("number", wrong, null, start, end, VARIABLE);
        };
    during(
        body,
        (jvmti, frame) -> {
          assertThat(jvmti.locals().all(frame)).extracting(LocalVariable::name).contains("number");
          assertMismatch(() -> jvmti.locals().set(frame, "number", 1));
        });
  }

  /** Where a subroutine returns to is a number for the JVM. */
  @Test
  void whereASubroutineReturnsToIsNotWritten() {
    Consumer<MethodVisitor> body =
        method -> {
          Label subroutine = new Label();
          method.visitJumpInsn(Opcodes.JSR, subroutine);
          method.visitInsn(Opcodes.RETURN);
          method.visitLabel(subroutine);
          method.visitVarInsn(Opcodes.ASTORE, VARIABLE);
          stay(method);
          method.visitVarInsn(Opcodes.RET, VARIABLE);
        };
    during(
        body,
        (jvmti, frame) ->
            assertThatThrownBy(
                    () -> jvmti.locals().setIntAt(thread(frame), frame.depth(), VARIABLE, 7))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("subroutine"));
  }

  /** Compiled code relies on the range of its types. */
  @Test
  void numbersStayInTheRangeOfTheirTypes() {
    try (Kept kept = Kept.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES)) {
      jvmti.threads().suspend(kept.thread());
      StackFrame frame = kept.frame(jvmti, "keep");
      // A boolean, a byte, a char and a short: those of Keeper.
      int[] beyond = {2, 128, 65_536, -32_769};
      for (int i = 0; i < beyond.length; i++) {
        int slot = 1 + i;
        int number = beyond[i];
        assertMismatch(() -> jvmti.locals().setIntAt(kept.thread(), frame.depth(), slot, number));
      }
      jvmti.locals().setIntAt(kept.thread(), frame.depth(), 2, 127);
      jvmti.threads().resume(kept.thread());
    }
  }

  private interface Body {
    void run(Jvmti jvmti, StackFrame frame);
  }

  private static void during(Consumer<MethodVisitor> body, Body test) {
    try (Kept kept = Kept.platform(stay -> new Odd().make(body, stay));
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES)) {
      jvmti.threads().suspend(kept.thread());
      StackFrame odd =
          jvmti.frames().stackTrace(kept.thread()).stream()
              .filter(frame -> frame.className().equals(Odd.NAME))
              .findFirst()
              .orElseThrow();
      test.run(jvmti, odd);
      jvmti.threads().resume(kept.thread());
    }
  }

  private static Thread thread(StackFrame frame) {
    return frame.thread().orElseThrow();
  }

  private static void assertMismatch(ThrowingCallable write) {
    assertThatThrownBy(write)
        .asInstanceOf(type(JvmtiException.class))
        .extracting(JvmtiException::error)
        .isEqualTo(JvmtiError.of(TYPE_MISMATCH));
  }

  private static void stay(MethodVisitor method) {
    String runnable = Type.getInternalName(Runnable.class);
    method.visitVarInsn(Opcodes.ALOAD, 0);
    method.visitFieldInsn(Opcodes.GETFIELD, Odd.NAME, "stay", "L" + runnable + ";");
    method.visitMethodInsn(Opcodes.INVOKEINTERFACE, runnable, "run", "()V", true);
  }

  /** Defines a class of the last version that needs no stack maps. */
  private static final class Odd extends ClassLoader {

    static final String NAME = "Odd";

    Odd() {
      super(Odd.class.getClassLoader());
    }

    Runnable make(Consumer<MethodVisitor> body, Runnable stay) {
      byte[] file = file(body);
      try {
        return (Runnable)
            defineClass(null, file, 0, file.length)
                .getConstructor(Runnable.class)
                .newInstance(stay);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }

    private static byte[] file(Consumer<MethodVisitor> body) {
      ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
      String object = Type.getInternalName(Object.class);
      String runnable = Type.getInternalName(Runnable.class);
      String descriptor = "L" + runnable + ";";
      writer.visit(Opcodes.V1_5, Opcodes.ACC_PUBLIC, NAME, null, object, new String[] {runnable});
      writer.visitField(Opcodes.ACC_PRIVATE, "stay", descriptor, null, null);
      MethodVisitor made =
          writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "(" + descriptor + ")V", null, null);
      made.visitVarInsn(Opcodes.ALOAD, 0);
      made.visitMethodInsn(Opcodes.INVOKESPECIAL, object, "<init>", "()V", false);
      made.visitVarInsn(Opcodes.ALOAD, 0);
      made.visitVarInsn(Opcodes.ALOAD, 1);
      made.visitFieldInsn(Opcodes.PUTFIELD, NAME, "stay", descriptor);
      made.visitInsn(Opcodes.RETURN);
      made.visitMaxs(0, 0);
      MethodVisitor run = writer.visitMethod(Opcodes.ACC_PUBLIC, "run", "()V", null, null);
      body.accept(run);
      run.visitMaxs(0, 0);
      return writer.toByteArray();
    }
  }
}
