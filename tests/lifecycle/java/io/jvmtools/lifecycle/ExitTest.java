package io.jvmtools.lifecycle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.lifecycle.Ending.Neighbour;
import io.jvmtools.support.OneJdkADay;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A JVM ends, whatever it has suspended at that moment. {@link Exits} does it more often. */
@OneJdkADay
class ExitTest {

  private static final int RUNS = 1;

  @ParameterizedTest
  @EnumSource
  void theJvmEnds(Neighbour neighbour, @TempDir Path dir) throws Exception {
    Exits.missing(neighbour).ifPresent(reason -> assumeTrue(false, reason));
    Exits.run(neighbour, RUNS, dir);
  }
}
