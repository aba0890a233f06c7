package io.jvmtools.functions.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.OneClassJar;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** AddToBootstrapClassLoaderSearch, AddToSystemClassLoaderSearch. What is added stays. */
class SystemAccessTest {

  @TempDir private Path folder;

  private enum Search {
    BOOTSTRAP((jvmti, file) -> jvmti.system().addToBootstrapSearch(file)),
    SYSTEM((jvmti, file) -> jvmti.system().addToSystemSearch(file));

    private final BiConsumer<Jvmti, Path> add;

    Search(BiConsumer<Jvmti, Path> add) {
      this.add = add;
    }

    private String function() {
      return this == BOOTSTRAP ? "AddToBootstrapClassLoaderSearch" : "AddToSystemClassLoaderSearch";
    }

    private void refuses(Path file) {
      try (Jvmti jvmti = Jvmti.open()) {
        assertThatExceptionOfType(JvmtiException.class)
            .isThrownBy(() -> add.accept(jvmti, file))
            .withMessage(
                "%s: JVMTI_ERROR_ILLEGAL_ARGUMENT (103): the JVM can open no jar with this name",
                function());
      }
    }
  }

  private static Stream<Search> searches() {
    return Stream.of(Search.values());
  }

  @ParameterizedTest
  @MethodSource("searches")
  void whatIsNoJarIsRefused(Search search) throws IOException {
    search.refuses(folder.resolve("no such.jar"));
    search.refuses(folder);
    search.refuses(Path.of(""));
    search.refuses(Path.of("x".repeat(10_000)));
    search.refuses(Files.createFile(folder.resolve("empty.jar")));
    search.refuses(Files.writeString(folder.resolve("text.jar"), "no jar"));
    byte[] whole = Files.readAllBytes(OneClassJar.write(folder.resolve("whole.jar"), "a.Whole"));
    byte[] half = new byte[whole.length / 2];
    System.arraycopy(whole, 0, half, 0, half.length);
    search.refuses(Files.write(folder.resolve("half.jar"), half));
  }

  /** Opening a pipe would wait for somebody to write into it. */
  @ParameterizedTest
  @MethodSource("searches")
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "mkfifo is a command of Unix")
  void nobodyWaitsForAPipe(Search search) throws Exception {
    Path pipe = folder.resolve("pipe.jar");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    search.refuses(pipe);
  }

  @ParameterizedTest
  @MethodSource("searches")
  void aFileOfAnotherFileSystemIsRefused(Search search) throws IOException {
    Path jar = OneClassJar.write(folder.resolve("a.jar"), "a.InJar");
    try (FileSystem inside = FileSystems.newFileSystem(jar);
        Jvmti jvmti = Jvmti.open()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> search.add.accept(jvmti, inside.getPath("/b.jar")))
          .withMessage("file: no file of the default file system");
    }
  }

  @ParameterizedTest
  @MethodSource("searches")
  void nullAndAClosedEnvironmentAreRefused(Search search) {
    Jvmti jvmti = Jvmti.open();
    assertThatNullPointerException()
        .isThrownBy(() -> search.add.accept(jvmti, null))
        .withMessage("file");
    jvmti.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> search.add.accept(jvmti, Path.of("no such.jar")))
        .withMessage("this environment is closed; open another one");
  }

  @Test
  @Tag(UnderTheAgentTest.ONCE)
  void classesAreFoundInWhatWasAdded() {
    ChildJvm.of(Adding.class).args(folder.toString()).run().succeeds();
  }

  /** Its name is bytes that only the encoding of the platform makes of it. */
  @Test
  @Tag(UnderTheAgentTest.ONCE)
  @DisabledOnOs(value = OS.WINDOWS, disabledReason = "its file names are in a code page")
  void aFileMayBeCalledAnything() {
    ChildJvm.of(AddingForeign.class)
        .environment("LC_ALL", "C.UTF-8")
        .args(folder.toString())
        .run()
        .succeeds();
  }

  static final class Adding {
    public static void main(String[] args) throws ClassNotFoundException {
      addBoth(Path.of(args[0]), "added");
      Path relative = Path.of("").toAbsolutePath().relativize(Path.of(args[0]).toAbsolutePath());
      addBoth(relative, "relative");
    }
  }

  static final class AddingForeign {
    private static final String BEYOND = "\ud83d\ude00";

    public static void main(String[] args) throws Exception {
      Path folder = Path.of(args[0]);
      addBoth(folder, "a b%20\u00e4\u4e2d+");
      Path face = Files.createDirectory(folder.resolve("a" + BEYOND));
      addToBootstrap(face, "b" + BEYOND);
      Path jar = OneClassJar.write(face.resolve("plain.jar"), "jvmtools.test.Plain");
      Path link = Files.createSymbolicLink(folder.resolve("link.jar"), jar);
      for (Path file : new Path[] {jar, link}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> JvmTools.addToSystemClassLoaderSearch(file))
            .withMessageContaining("U+FFFF");
      }
      // The loader still knows what is not there.
      assertThatThrownBy(() -> Class.forName("no.Such")).isInstanceOf(ClassNotFoundException.class);
    }
  }

  private static void addBoth(Path folder, String name) throws ClassNotFoundException {
    addToBootstrap(folder, name);
    addToSystem(folder, name);
  }

  /** Also through the door, and twice. */
  private static void addToBootstrap(Path folder, String name) throws ClassNotFoundException {
    String type = "jvmtools.test.a" + Integer.toHexString(name.hashCode()) + ".Boot";
    Path jar = OneClassJar.write(folder.resolve(name + "-boot.jar"), type);
    assertThatThrownBy(() -> Class.forName(type, false, null))
        .isInstanceOf(ClassNotFoundException.class);
    JvmTools.addToBootstrapClassLoaderSearch(jar);
    assertThat(Class.forName(type, false, null).getClassLoader()).isNull();
    assertThat(Class.forName(type).getClassLoader()).isNull();
    try (Jvmti jvmti = Jvmti.open()) {
      jvmti.system().addToBootstrapSearch(jar);
    }
  }

  private static void addToSystem(Path folder, String name) throws ClassNotFoundException {
    ClassLoader system = ClassLoader.getSystemClassLoader();
    String type = "jvmtools.test.a" + Integer.toHexString(name.hashCode()) + ".Application";
    Path jar = OneClassJar.write(folder.resolve(name + "-app.jar"), type);
    assertThatThrownBy(() -> Class.forName(type, false, system))
        .isInstanceOf(ClassNotFoundException.class);
    JvmTools.addToSystemClassLoaderSearch(jar);
    assertThat(Class.forName(type, false, system).getClassLoader()).isSameAs(system);
    assertThatThrownBy(() -> Class.forName(type, false, null))
        .isInstanceOf(ClassNotFoundException.class);
    try (Jvmti jvmti = Jvmti.open()) {
      jvmti.system().addToSystemSearch(jar);
    }
  }
}
