package io.jvmtools.functions.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.jvmtools.JvmTools;
import io.jvmtools.JvmtiException;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.OneClassJar;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** AddToSystemClassLoaderSearch with system class loaders that are not the JDK's. */
@Tag(UnderTheAgentTest.ONCE)
class SystemClassLoaderTest {

  private static final String LOADER = "java.system.class.loader";

  @TempDir private Path folder;

  @Test
  void oneThatCannotAppendIsNamed() {
    child(Plain.class).args(folder.toString(), "106", "cannot append").run().succeeds();
  }

  @Test
  void whatOneThrowsIsAnInternalError() {
    child(Throwing.class).args(folder.toString(), "113", "INTERNAL").run().succeeds();
  }

  @Test
  void onesOwnMethodIsCalled() {
    ChildJvm.of(Appending.class)
        .jvmArgs("-D" + LOADER + "=" + Noting.class.getName())
        .args(folder.toString())
        .run()
        .succeeds();
  }

  private static ChildJvm child(Class<?> loader) {
    return ChildJvm.of(Refused.class).jvmArgs("-D" + LOADER + "=" + loader.getName());
  }

  static final class Refused {
    public static void main(String[] args) {
      Path jar = OneClassJar.write(Path.of(args[0]).resolve("a.jar"), "jvmtools.test.Some");
      assertThatExceptionOfType(JvmtiException.class)
          .isThrownBy(() -> JvmTools.addToSystemClassLoaderSearch(jar))
          .withMessageContaining(args[2])
          .satisfies(e -> assertThat(e.code()).isEqualTo(Integer.parseInt(args[1])));
    }
  }

  static final class Appending {
    public static void main(String[] args) {
      Path jar = OneClassJar.write(Path.of(args[0]).resolve("a.jar"), "jvmtools.test.Some");
      JvmTools.addToSystemClassLoaderSearch(jar);
      assertThat(System.getProperty("jvmtools.test.appended")).isEqualTo(jar.toString());
      // It may wait for whatever it likes: nobody of ours may wait for the thread that calls it.
      assertThat(System.getProperty("jvmtools.test.appending"))
          .isEqualTo(Thread.currentThread().getName());
    }
  }

  /** Has no method for it. */
  public static class Plain extends ClassLoader {
    public Plain(ClassLoader parent) {
      super(parent);
    }
  }

  /** Fails. */
  public static class Throwing extends Plain {
    public Throwing(ClassLoader parent) {
      super(parent);
    }

    @SuppressWarnings("unused") // The JVM calls it.
    private void appendToClassPathForInstrumentation(String path) {
      throw new IllegalStateException(path);
    }
  }

  /** Remembers what it was given, where everybody sees it. */
  public static class Noting extends Plain {
    public Noting(ClassLoader parent) {
      super(parent);
    }

    @SuppressWarnings("unused") // The JVM calls it.
    private void appendToClassPathForInstrumentation(String path) {
      System.setProperty("jvmtools.test.appended", path);
      System.setProperty("jvmtools.test.appending", Thread.currentThread().getName());
    }
  }
}
