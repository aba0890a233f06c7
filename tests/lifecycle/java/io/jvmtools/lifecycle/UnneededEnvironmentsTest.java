package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GET_THREAD_CPU_TIME;

import io.jvmtools.Jvmti;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What closed environments leave in the JVM is kept for the next ones, but not for ever. The JVM
 * itself says what is disposed, once: with the first environment that is, it traces no more.
 */
class UnneededEnvironmentsTest {

  private static final String DISPOSED = "DisposeEnvironment {";

  @TempDir Path dir;

  @Test
  void thoseThatNobodyNeedsAreDisposed() {
    Path trace = dir.resolve("trace.txt");
    ChildJvm.of(Many.class)
        .jvmArgs("-XX:TraceJVMTI=DisposeEnvironment+io", "-Xlog:jvmti=trace:file=" + trace)
        .args(trace.toString())
        .run()
        .succeeds();
  }

  static final class Many {

    private static final int MANY = 100;

    public static void main(String[] args) {
      List<Jvmti> all =
          Stream.generate(() -> Jvmti.open(CAN_GET_THREAD_CPU_TIME)).limit(MANY).toList();
      all.forEach(Jvmti::close);
      Eventually.isTrue("some are disposed", () -> read(Path.of(args[0])).contains(DISPOSED));
    }

    private static String read(Path trace) {
      try {
        return Files.readString(trace);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
