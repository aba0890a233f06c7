package io.jvmtools.internal.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.Child;
import io.jvmtools.support.ChildJvm;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** In JVMs of its own, with no library in them, and in class loaders that see the classes only. */
class NativeLibraryTest {

  private static final String SUMMARY =
      "The native library of JvmTools could not be loaded. Tried:";

  @Test
  void theFailureListsEverythingThatWasTriedInOrder() {
    List<String> lines = failures("io.jvmtools.JvmTools.getAllThreads");

    assertThat(lines).hasSize(7);
    assertThat(lines.get(0)).isEqualTo("io.jvmtools.LibraryLoadException");
    assertThat(lines.get(1)).isEqualTo(SUMMARY);
    assertThat(lines.get(2)).isEqualTo("  - a library in this JVM: none");
    assertThat(lines.get(3)).isEqualTo("  - property jvmtools.library.path: not set");
    assertThat(lines.get(4)).isEqualTo("  - environment variable JVMTOOLS_LIBRARY_PATH: not set");
    assertThat(lines.get(5)).startsWith("  - java.library.path: no jvmtools in java.library.path");
    assertThat(lines.get(6)).startsWith("  - the jar: this jar has no library for ");
  }

  @Test
  void theFailureIsRememberedAndThrownAfresh() {
    String call = "io.jvmtools.JvmTools.getPhase";
    List<String> once = failures(call);
    List<String> twice = failures(call, call);

    assertThat(twice).hasSize(2 * once.size()).startsWith(once.toArray(new String[0]));
    assertThat(twice.subList(once.size(), twice.size())).isEqualTo(once);
  }

  @Test
  void thereIsNoFileToStartAnotherJvmWithEither() {
    assertThat(failures("io.jvmtools.Agent.libraryPath"))
        .contains("There is no native library of JvmTools. Looked at:");
  }

  /** Type and message of what static methods throw, called one after the other. */
  private static List<String> failures(String... calls) {
    return ChildJvm.of(Calls.class).args(calls).run().succeeds().outLines();
  }

  static final class Calls {
    public static void main(String[] calls) throws Exception {
      URL classes = NativeLibrary.class.getProtectionDomain().getCodeSource().getLocation();
      try (URLClassLoader loader = new WithoutLibrary(classes)) {
        Throwable before = null;
        for (String call : calls) {
          Throwable failure = failure(loader, call);
          Child.say(failure.getClass().getName());
          Child.say(failure.getMessage());
          assertThat(failure).isNotSameAs(before);
          assertThat(failure.getStackTrace())
              .anyMatch(frame -> frame.getClassName().equals(Calls.class.getName()));
          before = failure;
        }
      }
    }

    private static Throwable failure(ClassLoader loader, String call) throws Exception {
      int dot = call.lastIndexOf('.');
      Method found = loader.loadClass(call.substring(0, dot)).getMethod(call.substring(dot + 1));
      // What JvmTools inherits is declared in classes that are not public.
      found.setAccessible(true);
      try {
        throw new AssertionError(call + " answers " + found.invoke(null));
      } catch (InvocationTargetException thrown) {
        return thrown.getCause();
      }
    }
  }

  @Test
  void aMountWithoutExecutionIsTold() {
    assertThat(Explanation.isNoexec("/x/l.so: failed to map segment from shared object")).isTrue();
    assertThat(Explanation.isNoexec("/x/l.so: Operation not permitted")).isTrue();
    assertThat(Explanation.isNoexec("/x/l.so: wrong ELF class: ELFCLASS32")).isFalse();
  }

  /** The classes of the product; the jar may carry a library, but not for them. */
  private static final class WithoutLibrary extends URLClassLoader {

    WithoutLibrary(URL classes) {
      super(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
    }

    @Override
    public URL findResource(String name) {
      return name.startsWith("META-INF/native/") ? null : super.findResource(name);
    }
  }
}
