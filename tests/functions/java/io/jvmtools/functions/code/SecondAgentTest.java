package io.jvmtools.functions.code;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.JvmTools;
import io.jvmtools.functions.Changeable;
import io.jvmtools.functions.Changeable.Variant;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.JavaAgentJar;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Redefining and retransforming beside an agent of Java's own that changes the same classes. */
class SecondAgentTest {

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void bothSeeWhatTheOtherOneMakes(@TempDir Path folder) {
    ChildJvm.of(Program.class)
        .jvmArgs("-javaagent:" + JavaAgentJar.write(folder.resolve("agent.jar"), Program.class))
        .run()
        .succeeds()
        .out()
        .contains("both have changed it");
  }

  /** What the child runs. */
  static final class Program {

    private static Instrumentation instrumentation;

    private Program() {}

    public static void premain(String options, Instrumentation given) {
      instrumentation = given;
    }

    public static void main(String[] args) throws Exception {
      Class<?> type = Changeable.type();
      Object object = Changeable.make(type);
      Other other = new Other();
      instrumentation.addTransformer(other, true);
      // Of what was redefined, and of what the class was loaded from.
      JvmTools.redefineClass(type, Variant.OTHER_ANSWER.file());
      assertThat(Changeable.answer(object)).isEqualTo("B");
      JvmTools.retransformClasses(type);
      assertThat(Changeable.answer(object)).isEqualTo("B");
      List<String> given = new ArrayList<>();
      ClassFileTransformer ours =
          new ClassFileTransformer() {
            @Override
            public byte[] transform(
                ClassLoader loader, String name, Class<?> about, ProtectionDomain d, byte[] file) {
              String text = text(file);
              given.add(text.contains("B") ? "what the other agent makes" : "the original");
              return bytes(text.replace("B", "C"));
            }
          };
      assertThat(JvmTools.retransformClasses(ours, type)).containsExactly(type);
      assertThat(Changeable.answer(object)).isEqualTo("C");
      assertThat(given).containsExactly("what the other agent makes");
      // Whoever is asked again begins with the other one's, for ours was for once.
      instrumentation.retransformClasses(type);
      assertThat(Changeable.answer(object)).isEqualTo("B");
      instrumentation.removeTransformer(other);
      JvmTools.retransformClasses(ours, type);
      assertThat(Changeable.answer(object)).isEqualTo("2");
      other.changes = true;
      instrumentation.addTransformer(other, true);
      assertThatThrownBy(() -> JvmTools.retransformClasses(ours, type))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("Somebody else, a thread or an agent");
      assertThat(Changeable.answer(object)).as("as it was").isEqualTo("2");
      System.out.println("both have changed it");
    }

    /** Has the class answer something else; each time another one, if it is to. */
    private static final class Other implements ClassFileTransformer {

      private boolean changes;
      private int times;

      @Override
      public byte[] transform(
          ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] file) {
        if (!Changeable.NAME.equals(name)) {
          return null;
        }
        char answer = changes ? (char) ('D' + times++ % 20) : 'B';
        // The constant is one character long.
        return bytes(text(file).replace("\1\0\0012", "\1\0\001" + answer));
      }
    }

    private static String text(byte[] file) {
      return new String(file, StandardCharsets.ISO_8859_1);
    }

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.ISO_8859_1);
    }
  }
}
