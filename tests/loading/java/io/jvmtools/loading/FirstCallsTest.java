package io.jvmtools.loading;

import static java.lang.Thread.State.TIMED_WAITING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.support.AtOnce;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Installation;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
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

  @Test
  void whereThereIsNoneOneLooksForAll() {
    child(Without.class).run().succeeds();
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

  static final class Without {

    private static final int THREADS = 20;

    private final Set<Thread> comers = ConcurrentHashMap.newKeySet();
    private final Set<Thread> looked = ConcurrentHashMap.newKeySet();

    public static void main(String[] args) throws Exception {
      new Without().run(args[0]);
    }

    private void run(String jar) throws Exception {
      try (Loader loader = new Loader(jar, () -> {}, this::waitForAll)) {
        AtOnce.run(
            THREADS,
            number -> {
              comers.add(Thread.currentThread());
              assertThatThrownBy(loader::call).hasStackTraceContaining("LibraryLoadException");
            });
      }
      assertThat(looked).isNotEmpty().hasSizeLessThan(THREADS);
    }

    private boolean waitForAll() {
      if (looked.add(Thread.currentThread()) && looked.size() == 1) {
        Eventually.isTrue(
            "the others wait, or look themselves",
            () -> looked.size() > 1 || comers.size() == THREADS && othersWait());
      }
      return true;
    }

    private boolean othersWait() {
      return comers.stream()
          .filter(one -> one != Thread.currentThread())
          .allMatch(one -> one.getState() == TIMED_WAITING);
    }
  }

  /**
   * The classes of the jar once more; says when somebody opens the library in it, or looks whether
   * it is there.
   */
  private static final class Loader extends URLClassLoader {

    private final Runnable opens;
    private final BooleanSupplier hides;

    Loader(String jar, Runnable opens) throws MalformedURLException {
      this(jar, opens, () -> false);
    }

    Loader(String jar, Runnable opens, BooleanSupplier hides) throws MalformedURLException {
      super(new URL[] {Path.of(jar).toUri().toURL()}, ClassLoader.getPlatformClassLoader());
      this.opens = opens;
      this.hides = hides;
    }

    void call() throws ReflectiveOperationException {
      loadClass("io.jvmtools.JvmTools").getMethod("getPhase").invoke(null);
    }

    @Override
    public URL findResource(String name) {
      if (name.endsWith(System.mapLibraryName("jvmtools"))) {
        opens.run();
      }
      boolean isLookedFor = name.contains(System.mapLibraryName("jvmtools"));
      return isLookedFor && hides.getAsBoolean() ? null : super.findResource(name);
    }
  }
}
