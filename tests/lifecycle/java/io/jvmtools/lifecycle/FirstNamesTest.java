package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.support.AtOnce;
import io.jvmtools.support.LibraryCopy;
import io.jvmtools.support.OneJdkADay;
import java.util.concurrent.Callable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What names are read through is ready for whoever asks, also while another one asks for it first.
 */
@OneJdkADay
class FirstNamesTest {

  @ParameterizedTest
  @EnumSource
  void theSecondOfTwoCanReadThemToo(WayIn way) {
    way.of(Copies.class).run().succeeds();
  }

  static final class Copies {

    private static final int COPIES = 60;

    public static void main(String[] args) throws Exception {
      for (int i = 0; i < COPIES; i++) {
        new LibraryCopy().call(Metadata.class);
      }
    }
  }

  static final class Metadata implements Callable<String> {

    private static final int THREADS = 4;

    @Override
    public String call() throws Exception {
      NativeLibrary.load();
      CapabilitiesNatives.potentialAtStart();
      CapabilitiesNatives.preparedAtStart();
      AtOnce.run(
          THREADS,
          number -> {
            long env = GeneralNatives.metadata();
            assertThat(CapabilitiesNatives.getCapabilities(env)).isNotZero();
          });
      return "";
    }
  }
}
