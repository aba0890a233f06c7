package io.jvmtools.lifecycle;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.JvmTools;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.thread.SuspensionNatives;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Installation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A JVM ends, also if nobody can resume for it: it waits for the steward, but not for ever. */
class StalledEndTest {

  @ParameterizedTest
  @EnumSource
  void withAStewardThatAnotherToolHasSuspended(WayIn way) {
    assumeTrue(Installation.feature() < 20, "from 20 on Thread.suspend() does nothing");
    way.of(Main.class).run().succeeds();
  }

  static final class Main {
    public static void main(String[] args) throws Exception {
      JvmTools.suspendThread(Counting.platform().thread());
      Thread[] ours = SuspensionNatives.ownThreads(GeneralNatives.metadata());
      for (Thread own : ours) {
        if (own.getName().endsWith("steward")) {
          Thread.class.getMethod("suspend").invoke(own);
        }
      }
    }
  }
}
