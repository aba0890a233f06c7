package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import io.jvmtools.support.JniCalls;
import io.jvmtools.support.LibraryCopy;
import io.jvmtools.system.JniCallCounter;
import io.jvmtools.system.JniFunction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Counters of JNI calls: without the JVM's own checks, when the JVM ends, and beside another image.
 */
class JniCountersTest {

  private static final int SLOT_OF_GET_VERSION = 4;

  @ParameterizedTest
  @EnumSource
  void callsAreCountedExactlyWhereNobodyChecksThem(WayIn way) {
    way.of(Exact.class).withoutJniChecks().run().succeeds();
  }

  static final class Exact {

    private static final int THREADS = 4;
    private static final int TIMES = 100_000;

    public static void main(String[] args) throws Exception {
      try (JniCallCounter counter =
          JvmTools.countJniCalls(JniFunction.GET_VERSION, JniFunction.CALL_OBJECT_METHOD)) {
        AtOnce.run(
            THREADS,
            number -> {
              JniCalls.getVersion(TIMES);
              JniCalls.variadic(TIMES);
            });
        assertThat(counter.calls().values()).containsOnly((long) THREADS * TIMES);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"JAR, exit", "JAR, return", "AGENT, exit", "AGENT, return"})
  void theTableIsAsItWasWhenTheJvmEnds(WayIn way, String end) {
    way.of(Left.class)
        .agent(JniCalls.LIBRARY, "")
        .args(end)
        .run()
        .succeeds()
        .out()
        .contains("restored");
  }

  static final class Left {

    private static JniCallCounter left;

    public static void main(String[] args) throws Exception {
      JniCalls.remember(SLOT_OF_GET_VERSION);
      left = JvmTools.countJniCalls(JniFunction.GET_VERSION);
      CountDownLatch calling = new CountDownLatch(1);
      Thread calls = new Thread(() -> callAndCall(calling));
      calls.setDaemon(true);
      calls.start();
      calling.await();
      assertThat(left.calls(JniFunction.GET_VERSION)).isPositive();
      if (args[0].equals("exit")) {
        System.exit(0);
      }
    }

    private static void callAndCall(CountDownLatch calling) {
      while (true) {
        JniCalls.getVersion(100);
        calling.countDown();
      }
    }
  }

  /** In whatever order they count and end, no call is lost and none goes round in a circle. */
  @Test
  void twoImagesCountBesideEachOther(@TempDir Path dir) throws Exception {
    Path other = Files.copy(Installation.library(), dir.resolve("libjvmtools-other.so"));
    ChildJvm.of(Two.class).jvmArgs("-Dtest.other=" + other).run().succeeds();
  }

  static final class Two {

    private static final long ORIGINAL = JniCalls.function(SLOT_OF_GET_VERSION);
    private static final LibraryCopy ONE = new LibraryCopy();
    private static final LibraryCopy OTHER = new LibraryCopy();

    public static void main(String[] args) {
      String one = ONE.call(File.class);
      assertThat(OTHER.call(LoadTheOther.class)).isNotEqualTo(one);
      for (int round = 0; round < 5; round++) {
        ONE.call(Open.class);
        OTHER.call(Open.class);
        JniCalls.getVersion(1);
        assertThat(OTHER.call(Close.class)).isEqualTo(1);
        JniCalls.getVersion(2);
        assertThat(ONE.call(Close.class)).isEqualTo(3);
        assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isEqualTo(ORIGINAL);

        ONE.call(Open.class);
        OTHER.call(Open.class);
        JniCalls.getVersion(1);
        assertThat(ONE.call(Close.class)).isEqualTo(1);
        JniCalls.getVersion(2);
        ONE.call(Open.class);
        JniCalls.getVersion(4);
        assertThat(OTHER.call(Close.class)).isEqualTo(7);
        JniCalls.getVersion(8);
        assertThat(ONE.call(Close.class)).isEqualTo(12);
        OTHER.call(Open.class);
        assertThat(OTHER.call(Close.class)).isZero();
        ONE.call(Open.class);
        assertThat(ONE.call(Close.class)).isZero();
        assertThat(JniCalls.function(SLOT_OF_GET_VERSION)).isEqualTo(ORIGINAL);
      }
    }
  }

  /** The file of this copy's image. */
  static final class File implements Callable<String> {
    @Override
    public String call() {
      JvmTools.getPhase();
      return GeneralNatives.libraryPath();
    }
  }

  /** What a class loader has loaded itself comes before what others could share with it. */
  static final class LoadTheOther implements Callable<String> {
    @Override
    public String call() {
      System.load(System.getProperty("test.other"));
      return new File().call();
    }
  }

  static final class Open implements Callable<Void> {

    static JniCallCounter counter;

    @Override
    public Void call() {
      counter = JvmTools.countJniCalls(JniFunction.GET_VERSION);
      return null;
    }
  }

  static final class Close implements Callable<Long> {
    @Override
    public Long call() {
      Open.counter.close();
      return Open.counter.calls(JniFunction.GET_VERSION);
    }
  }
}
