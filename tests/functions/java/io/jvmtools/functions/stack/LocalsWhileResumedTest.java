package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.support.Eventually;
import io.jvmtools.thread.Threads;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is written while somebody resumes threads, and stands still in the middle of that. */
@OnlyUnderTheAgent
class LocalsWhileResumedTest {

  private static final int STOPS = 200;

  @Test
  void whoStandsWhileHeResumesOneKeepsNobodyFromWritingToAnother() {
    try (Kept written = Kept.platform();
        Kept resumed = Kept.platform();
        Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES);
        Resumer resumer = new Resumer(jvmti.threads(), resumed.thread())) {
      jvmti.threads().suspend(written.thread());
      StackFrame frame = written.frame(jvmti, "keep");
      int stoodInside = 0;
      for (int stop = 0; stop < STOPS; stop++) {
        jvmti.threads().suspend(resumer.thread);
        if (jvmti.frames().at(resumer.thread, 0).methodName().equals("resumeThreadList")) {
          stoodInside++;
        }
        jvmti.locals().set(frame, "number", stop);
        int rounds = resumer.rounds;
        jvmti.threads().resume(resumer.thread);
        Eventually.isTrue("it goes on", () -> resumer.rounds > rounds);
      }
      assertThat(stoodInside).isPositive();
      jvmti.threads().resume(written.thread());
      assertThat(written.outcome()).contains(", " + (STOPS - 1) + ", 4, ");
    }
  }

  /** Resumes a thread again and again, which is not suspended, until it is closed. */
  private static final class Resumer implements AutoCloseable {

    private final Thread thread = new Thread(this::run, "resumer");
    private final Threads threads;
    private final Thread other;
    private volatile int rounds;
    private volatile boolean isOver;

    Resumer(Threads threads, Thread other) {
      this.threads = threads;
      this.other = other;
      thread.setDaemon(true);
      thread.start();
      // By then all classes are there that it needs: nobody is to stand still while it loads them.
      Eventually.isTrue("it resumes", () -> rounds > 100);
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // One thread writes it.
    private void run() {
      while (!isOver) {
        threads.resume(List.of(other));
        rounds++;
      }
    }

    @Override
    public void close() {
      isOver = true;
      threads.resume(List.of(thread));
      Eventually.isTrue("it ends", () -> !thread.isAlive());
    }
  }
}
