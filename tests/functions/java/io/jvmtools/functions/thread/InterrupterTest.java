package io.jvmtools.functions.thread;

import io.jvmtools.JvmTools;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Parked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Whoever interrupts a virtual thread and is suspended in that can be resumed. InterruptThread by
 * itself would keep every ResumeThread of the JVM waiting until it is over.
 */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
@Tag(UnderTheAgentTest.ONCE)
class InterrupterTest {

  @Test
  void canBeSuspendedAndResumed() {
    ChildJvm.of(Interrupter.class).run().succeeds();
  }

  /** Suspends and resumes a thread that does nothing but interrupt. */
  static final class Interrupter {

    private static final int TIMES = 5_000;

    private static volatile boolean over;

    public static void main(String[] args) throws InterruptedException {
      Thread interrupted = Parked.virtual().thread();
      Thread interrupter = new Thread(() -> interrupt(interrupted), "interrupter");
      interrupter.start();
      for (int i = 0; i < TIMES; i++) {
        JvmTools.suspendThread(interrupter);
        JvmTools.resumeThread(interrupter);
      }
      over = true;
      interrupter.join();
    }

    private static void interrupt(Thread thread) {
      while (!over) {
        JvmTools.interruptThread(thread);
      }
    }
  }
}
