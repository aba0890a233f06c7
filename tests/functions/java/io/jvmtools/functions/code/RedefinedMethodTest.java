package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.MemberUnavailableException;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.Deep;
import io.jvmtools.functions.Relay;
import io.jvmtools.functions.Traces;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.JavaAgentJar;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What becomes of values when a class is redefined, by an agent that Java has for that. */
class RedefinedMethodTest {

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void methodsSurviveTheRedefinitionOfTheirClass(@TempDir Path folder) {
    ChildJvm.of(Program.class)
        .jvmArgs("-javaagent:" + JavaAgentJar.write(folder.resolve("agent.jar"), Program.class))
        .run()
        .succeeds()
        .out()
        .contains("all versions are told apart");
  }

  /** What the child runs. */
  static final class Program {

    private static final int VERSIONS = 40;

    private static Instrumentation instrumentation;

    private Program() {}

    public static void premain(String options, Instrumentation given) {
      instrumentation = given;
    }

    public static void main(String[] args) throws Exception {
      byte[] file = ClassFiles.of(Relay.class);
      Runnable first = new ClassFiles.Loader("redefined").relay(file, () -> {});
      Class<?> type = first.getClass();
      JvmMethod pass = JvmMethod.of(type.getDeclaredMethod("pass", Runnable.class));
      List<JvmMethod> replaced = new ArrayList<>();
      for (int version = 1; version <= VERSIONS; version++) {
        byte[] before = JvmTools.getBytecodes(pass).orElseThrow().toByteArray();
        try (Deep worker = Deep.platform(0, next -> ClassFiles.instance(type, next))) {
          assertThat(running(worker)).isEqualTo(pass);
          instrumentation.redefineClasses(new ClassDefinition(type, longer(file, version)));
          JvmMethod old = running(worker);
          assertThat(old).isNotEqualTo(pass).hasToString(pass.toString());
          assertThat(old.declaringClass()).contains(type);
          assertThat(JvmTools.isMethodObsolete(old)).isTrue();
          assertThat(JvmTools.getBytecodes(old).orElseThrow().toByteArray()).isEqualTo(before);
          assertThat(JvmTools.isMethodObsolete(pass)).isFalse();
          assertThat(JvmTools.getBytecodes(pass).orElseThrow().length())
              .isEqualTo(before.length + 1);
          replaced.add(old);
        }
        GcUntil.settled();
        replaced.forEach(Program::ask);
      }
      assertThat(JvmTools.getClassMethods(type))
          .contains(pass)
          .doesNotContainAnyElementsOf(replaced);
      System.out.println("all versions are told apart");
    }

    /** Nobody runs it: the JVM may have freed it, and says so. */
    private static void ask(JvmMethod old) {
      assertThat(old.name()).isEqualTo("pass");
      assertThat(old.sourceFile()).contains("Relay.java");
      try {
        assertThat(JvmTools.isMethodObsolete(old)).isTrue();
        assertThat(JvmTools.getBytecodes(old)).isPresent();
        assertThat(JvmTools.getMaxLocals(old)).hasValue(1);
        assertThat(JvmTools.getArgumentsSize(old)).hasValue(1);
        assertThat(JvmTools.getLineNumberTable(old)).isPresent();
      } catch (MemberUnavailableException freed) {
        assertThat(freed.error().number()).isEqualTo(23);
      }
    }

    private static JvmMethod running(Deep worker) {
      return Traces.frames(JvmTools.getStackTrace(worker.thread()), "pass").get(0).method();
    }

    /** The same class with so many idle bytecodes at the begin of each method. */
    private static byte[] longer(byte[] file, int by) {
      ClassReader reader = new ClassReader(file);
      ClassWriter writer = new ClassWriter(reader, 0);
      reader.accept(
          new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] thrown) {
              return new MethodVisitor(
                  Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, thrown)) {
                @Override
                public void visitCode() {
                  super.visitCode();
                  for (int i = 0; i < by; i++) {
                    visitInsn(Opcodes.NOP);
                  }
                }
              };
            }
          },
          0);
      return writer.toByteArray();
    }
  }
}
