package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jvmtools.JvmTools;
import io.jvmtools.VersionMismatchException;
import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.Probe;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import io.jvmtools.support.LibraryCopy;
import io.jvmtools.support.OtherVersion;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A jar and a library of different versions name each other. */
class VersionMismatchTest {

  @Test
  void aNewerLibraryIsNamedByTheJar(@TempDir Path dir) throws Exception {
    ChildJvm.of(OldJar.class).agent(OtherVersion.agent(dir), "").run().succeeds().err().isEmpty();
  }

  static final class OldJar {
    public static void main(String[] args) {
      VersionMismatchException mismatch =
          catchThrowableOfType(VersionMismatchException.class, JvmTools::getPhase);
      assertThat(mismatch.library()).isEqualTo("9.9.9 (ABI 99) at /x");
      assertThat(mismatch.jar()).matches("\\d+\\.\\d+\\.\\d+.* \\(ABI " + Bridge.ABI + "\\)");
      assertThat(mismatch).hasMessageContainingAll(mismatch.library(), mismatch.jar());
      assertThatThrownBy(JvmTools::getPhase)
          .as("the second time")
          .isInstanceOf(VersionMismatchException.class);
    }
  }

  @Test
  void aNewerJarIsToldWhatTheLibraryIs() {
    ChildJvm.of(NewJar.class).agent("").run().succeeds().err().isEmpty();
  }

  static final class NewJar {
    public static void main(String[] args) {
      String answer = new LibraryCopy().call(AskAsNewer.class);
      assertThat(answer)
          .matches("\\d+\\.\\d+\\.\\d+.* \\(ABI " + Bridge.ABI + "\\) at .*")
          .endsWith(" at " + Installation.library());
    }
  }

  /** Asks the library as a jar of a newer version would, and insists that nothing is registered. */
  static final class AskAsNewer implements Callable<String> {
    @Override
    public String call() {
      String answer = Probe.bind(99, "9.9.9");
      assertThatThrownBy(GeneralNatives::origin).isInstanceOf(UnsatisfiedLinkError.class);
      return answer;
    }
  }
}
