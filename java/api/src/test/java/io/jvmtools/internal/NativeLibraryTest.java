package io.jvmtools.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In class loaders of its own, which see the classes but no library. */
class NativeLibraryTest {

  private static final String SUMMARY =
      "The native library of JvmTools could not be loaded. Tried:";

  private URLClassLoader loader;

  @BeforeEach
  void setUp() {
    URL classes = NativeLibrary.class.getProtectionDomain().getCodeSource().getLocation();
    loader = new WithoutLibrary(classes);
  }

  @AfterEach
  void tearDown() throws Exception {
    loader.close();
  }

  @Test
  void theFailureListsEverythingThatWasTriedInOrder() {
    Throwable failure = catchThrowable(() -> call("io.jvmtools.JvmTools", "getAllThreads"));

    assertThat(failure.getClass().getName()).isEqualTo("io.jvmtools.LibraryLoadException");
    String[] lines = failure.getMessage().split("\\R", -1);
    assertThat(lines).hasSize(6);
    assertThat(lines[0]).isEqualTo(SUMMARY);
    assertThat(lines[1]).isEqualTo("  - an agent in this JVM: none");
    assertThat(lines[2]).isEqualTo("  - property jvmtools.library.path: not set");
    assertThat(lines[3]).isEqualTo("  - environment variable JVMTOOLS_LIBRARY_PATH: not set");
    assertThat(lines[4]).startsWith("  - java.library.path: no jvmtools in java.library.path");
    assertThat(lines[5]).startsWith("  - the jar: this jar has no library for ");
  }

  @Test
  void theFailureIsRememberedAndThrownAfresh() {
    Throwable first = catchThrowable(() -> call("io.jvmtools.JvmTools", "getPhase"));
    Throwable second = catchThrowable(() -> call("io.jvmtools.JvmTools", "getPhase"));

    assertThat(second).isNotSameAs(first).hasMessage(first.getMessage());
    assertThat(Arrays.toString(second.getStackTrace())).contains("NativeLibraryTest");
  }

  @Test
  void thereIsNoFileToStartAnotherJvmWithEither() {
    Throwable failure = catchThrowable(() -> call("io.jvmtools.Agent", "libraryPath"));

    assertThat(failure).hasMessageStartingWith("There is no native library of JvmTools.");
  }

  @Test
  void aMountWithoutExecutionIsTold() {
    assertThat(Explanation.isNoexec("/x/l.so: failed to map segment from shared object")).isTrue();
    assertThat(Explanation.isNoexec("/x/l.so: Operation not permitted")).isTrue();
    assertThat(Explanation.isNoexec("/x/l.so: wrong ELF class: ELFCLASS32")).isFalse();
  }

  private void call(String type, String method) throws Throwable {
    try {
      Method found = loader.loadClass(type).getMethod(method);
      // What JvmTools inherits is declared in classes that are not public.
      found.setAccessible(true);
      found.invoke(null);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
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
