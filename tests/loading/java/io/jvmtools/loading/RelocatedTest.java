package io.jvmtools.loading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Installation;
import io.jvmtools.support.OneJdkADay;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.io.TempDir;

/** A shaded jar: the classes in another package, the native library as it was built. */
@OneJdkADay
class RelocatedTest {

  @TempDir static Path dir;
  private static Path relocated;
  private static Path original;

  @BeforeAll
  static void shade() throws IOException {
    relocated = Jars.relocated(dir.resolve("shaded.jar"));
    original = Jars.uber(dir.resolve("uber.jar"));
  }

  @Test
  void itLoadsTheLibraryOfItsJar() {
    Path extracted = dir.resolve("extracted");
    ChildResult result = child().jvmArgs("-Djvmtools.extract.dir=" + extracted).run().succeeds();
    assertThat(result.line("used ")).startsWith("LIBRARY " + extracted);
  }

  @Test
  void itTakesTheFileThatTheUserNames() {
    ChildResult result =
        child().jvmArgs("-Djvmtools.library.path=" + Installation.library()).run().succeeds();
    assertThat(result.line("used ")).isEqualTo("LIBRARY " + Installation.library());
  }

  @Test
  void itSharesTheAgentAndPrintsNothing() {
    ChildResult result = child().agent("").run().succeeds();
    assertThat(result.line("used ")).isEqualTo("AT_START " + Installation.library());
    result.err().isEmpty();
  }

  @Test
  @EnabledForJreRange(minVersion = 24, disabledReason = "native access is free before JDK 24")
  void itSharesTheAgentWhereNativeAccessIsDenied() {
    ChildResult result = child().agent("").jvmArgs("--illegal-native-access=deny").run().succeeds();
    assertThat(result.line("used ")).isEqualTo("AT_START " + Installation.library());
    result.err().isEmpty();
  }

  @Test
  void itSharesAnAgentThatWasAttached() {
    assumeTrue(
        ModuleLayer.boot().findModule("jdk.attach").isPresent(), "this runtime cannot attach");
    ChildResult result =
        child()
            .jvmArgs("-Djdk.attach.allowAttachSelf=true", "-XX:+EnableDynamicAgentLoading")
            .args("attach")
            .run()
            .succeeds();
    assertThat(result.line("used ")).startsWith("ATTACHED ");
  }

  @Test
  void itSharesTheImageOfTheOriginalInOneClassLoader() {
    ChildResult result = both().args("one loader").run().succeeds();
    assertThat(result.line("relocated ")).startsWith("LIBRARY ");
    assertThat(result.line("original ")).isEqualTo(result.line("relocated "));
  }

  @Test
  void itSharesItsImageWithTheOriginalInOneClassLoader() {
    ChildResult result = both().args("one loader", "relocated first").run().succeeds();
    assertThat(result.line("relocated ")).startsWith("LIBRARY ");
    assertThat(result.line("original ")).isEqualTo(result.line("relocated "));
  }

  @Test
  void itSharesTheAgentWithTheOriginal() {
    ChildResult result = both().agent("").args("one loader").run().succeeds();
    assertThat(result.line("relocated ")).isEqualTo("AT_START " + Installation.library());
    assertThat(result.line("original ")).isEqualTo("AT_START " + Installation.library());
    result.err().isEmpty();
  }

  @Test
  void itSharesItsImageInTwoClassLoaders() {
    ChildResult result = both().args("two loaders").run().succeeds();
    assertThat(result.line("first ")).startsWith("LIBRARY ");
    assertThat(result.line("second ")).isEqualTo(result.line("first "));
  }

  @Test
  void itSharesTheAgentInTwoClassLoaders() {
    ChildResult result = both().agent("").args("two loaders").run().succeeds();
    assertThat(result.line("first ")).isEqualTo("AT_START " + Installation.library());
    assertThat(result.line("second ")).isEqualTo("AT_START " + Installation.library());
    result.err().isEmpty();
  }

  private static ChildJvm child() {
    return ChildJvm.named(Jars.RELOCATED_USE).classPath(relocated);
  }

  /** A child that sees the jars as paths only: what is between is the business of class loaders. */
  private static ChildJvm both() {
    return ChildJvm.of(Loaders.class)
        .jvmArgs("-Dtest.original=" + original, "-Dtest.relocated=" + relocated);
  }

  static final class Loaders {
    public static void main(String[] args) throws Exception {
      List<String> how = List.of(args);
      if (how.contains("two loaders")) {
        System.out.println("first " + use(loader("relocated"), Jars.RELOCATED_USE));
        System.out.println("second " + use(loader("relocated"), Jars.RELOCATED_USE));
        return;
      }
      ClassLoader one = loader("original", "relocated");
      if (how.contains("relocated first")) {
        System.out.println("relocated " + use(one, Jars.RELOCATED_USE));
      }
      System.out.println("original " + use(one, Use.class.getName()));
      if (!how.contains("relocated first")) {
        System.out.println("relocated " + use(one, Jars.RELOCATED_USE));
      }
    }

    private static ClassLoader loader(String... jars) throws Exception {
      URL[] urls = new URL[jars.length];
      for (int i = 0; i < jars.length; i++) {
        urls[i] = Path.of(System.getProperty("test." + jars[i])).toUri().toURL();
      }
      return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private static Object use(ClassLoader loader, String name) throws Exception {
      return ((Callable<?>) loader.loadClass(name).getConstructor().newInstance()).call();
    }
  }
}
