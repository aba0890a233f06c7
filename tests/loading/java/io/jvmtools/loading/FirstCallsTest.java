package io.jvmtools.loading;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.support.AtOnce;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads that use the library for the first time, all at once. */
class FirstCallsTest {

  @TempDir Path dir;

  @Test
  void oneLoadsTheLibraryForAll() {
    child(Together.class).run().succeeds();
  }

  @Test
  void whoStandsStillWhileItLoadsItKeepsNobody() {
    child(Standing.class).run().succeeds();
  }

  private ChildJvm child(Class<?> main) {
    return ChildJvm.of(main)
        .jvmArgs("-Djvmtools.extract.dir=" + dir)
        .args(Installation.jar().toString());
  }

  static final class Together {

    private static final int THREADS = 20;

    public static void main(String[] args) throws Exception {
      AtomicInteger opened = new AtomicInteger();
      try (Loader loader = new Loader(args[0], opened::incrementAndGet)) {
        AtOnce.run(THREADS, number -> loader.call());
      }
      assertThat(opened).hasPositiveValue().hasValueLessThan(THREADS);
    }
  }

  static final class Standing {

    public static void main(String[] args) throws Exception {
      AtomicInteger opened = new AtomicInteger();
      CountDownLatch another = new CountDownLatch(1);
      Runnable standFirst =
          () -> {
            if (opened.incrementAndGet() == 1) {
              await(another);
            }
          };
      try (Loader loader = new Loader(args[0], standFirst)) {
        AtOnce.run(
            2,
            number -> {
              loader.call();
              another.countDown();
            });
      }
      assertThat(opened).hasValueGreaterThan(1);
    }

    private static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** The classes of the jar once more; says when somebody opens the library in it. */
  private static final class Loader extends URLClassLoader {

    private final Runnable opens;

    Loader(String jar, Runnable opens) throws MalformedURLException {
      super(new URL[] {Path.of(jar).toUri().toURL()}, ClassLoader.getPlatformClassLoader());
      this.opens = opens;
    }

    void call() throws ReflectiveOperationException {
      loadClass("io.jvmtools.JvmTools").getMethod("getPhase").invoke(null);
    }

    @Override
    public URL findResource(String name) {
      if (name.endsWith(System.mapLibraryName("jvmtools"))) {
        opens.run();
      }
      return super.findResource(name);
    }
  }
}
