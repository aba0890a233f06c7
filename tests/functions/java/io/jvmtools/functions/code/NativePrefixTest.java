package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.objectweb.asm.Opcodes.ACC_NATIVE;
import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.functions.OnlyUnderTheAgent;
import java.lang.reflect.InvocationTargetException;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * SetNativeMethodPrefix, SetNativeMethodPrefixes. The JVM looks for natives of every loader in what
 * an agent exports, so there is one that a class of another loader can have: the probe.
 */
@OnlyUnderTheAgent
class NativePrefixTest {

  private static final String PROBE = "io/jvmtools/internal/Probe";

  @Test
  void aNativeMethodIsLinkedToWhatImplementsTheRestOfItsName() {
    assertThat(isLinked("bind")).isTrue();
    assertThat(isLinked("wrapped_bind")).isFalse();
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_SET_NATIVE_METHOD_PREFIX)) {
      jvmti.methods().setNativePrefix("wrapped_");
      assertThat(isLinked("wrapped_bind")).isTrue();
      assertThat(isLinked("bind")).isTrue();
      assertThat(isLinked("other_bind")).isFalse();
      jvmti.methods().setNativePrefix("other_");
      assertThat(isLinked("wrapped_bind")).isFalse();
      assertThat(isLinked("other_bind")).isTrue();
      jvmti.methods().clearNativePrefixes();
      assertThat(isLinked("other_bind")).isFalse();
    }
  }

  @Test
  void ofSeveralTheLastOneStandsFirst() {
    try (Jvmti jvmti = Jvmti.open(Capability.CAN_SET_NATIVE_METHOD_PREFIX)) {
      jvmti.methods().setNativePrefixes("in_", "out_");
      assertThat(isLinked("out_in_bind")).isTrue();
      assertThat(isLinked("in_bind")).isTrue();
      assertThat(isLinked("out_bind")).isTrue();
      assertThat(isLinked("in_out_bind")).isFalse();
      jvmti.methods().setNativePrefixes();
      assertThat(isLinked("in_bind")).isFalse();
    }
  }

  /** Each environment has its own, and what takes its place begins without. */
  @Test
  void prefixesAreTakenBackWhenTheEnvironmentIsClosed() {
    try (Jvmti stays = Jvmti.open(Capability.CAN_SET_NATIVE_METHOD_PREFIX)) {
      stays.methods().setNativePrefix("stays_");
      for (int i = 0; i < 3; i++) {
        try (Jvmti jvmti = Jvmti.open(Capability.CAN_SET_NATIVE_METHOD_PREFIX)) {
          assertThat(isLinked("gone_bind")).isFalse();
          jvmti.methods().setNativePrefix("gone_");
          assertThat(isLinked("gone_bind")).isTrue();
        }
        assertThat(isLinked("gone_bind")).isFalse();
        assertThat(isLinked("stays_bind")).isTrue();
      }
    }
    assertThat(isLinked("stays_bind")).isFalse();
  }

  /**
   * Of a class that has a method around it. The native answers what the library is, to a copy that
   * does not fit.
   */
  private static boolean isLinked(String name) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V17, ACC_PUBLIC, PROBE, null, "java/lang/Object", null);
    String descriptor = "(ILjava/lang/String;)Ljava/lang/String;";
    writer.visitMethod(ACC_PUBLIC | ACC_STATIC | ACC_NATIVE, name, descriptor, null, null);
    if (!name.equals("bind")) {
      MethodVisitor around =
          writer.visitMethod(ACC_PUBLIC | ACC_STATIC, "bind", descriptor, null, null);
      around.visitCode();
      around.visitInsn(Opcodes.ACONST_NULL);
      around.visitInsn(Opcodes.ARETURN);
      around.visitMaxs(1, 2);
      around.visitEnd();
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
      Object answer = type.getMethod(name, int.class, String.class).invoke(null, 0, "");
      assertThat(answer).asString().contains("ABI");
      return true;
    } catch (InvocationTargetException e) {
      assertThat(e).hasCauseInstanceOf(UnsatisfiedLinkError.class);
      return false;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
