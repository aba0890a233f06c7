package io.jvmtools.functions.stack;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.JvmtiException;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.functions.OnlyUnderTheAgent;
import io.jvmtools.functions.Traces;
import io.jvmtools.internal.environment.CapabilitiesNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.loading.NativeLibrary;
import io.jvmtools.internal.stack.FrameNatives;
import io.jvmtools.internal.stack.LocalNatives;
import io.jvmtools.stack.LocalVariable;
import io.jvmtools.support.Eventually;
import io.jvmtools.thread.Threads;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is read and written of a thread that somebody resumes and suspends again meanwhile. */
@OnlyUnderTheAgent
class LocalsOfOneMomentTest {

  private static final int STOPS = 1_000;

  /** The slot of the number in {@link Keeper}'s method, behind the receiver and four parameters. */
  private static final int NUMBER = 5;

  @Test
  @SuppressWarnings("NonAtomicOperationOnVolatileField") // One thread writes it.
  void variablesAreReadOfOneMoment() {
    Looping looping = new Looping();
    try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES);
        Running worker = new Running(looping, looping::count);
        Stopping stopping = new Stopping(jvmti.threads(), worker.thread)) {
      while (stopping.stops < STOPS) {
        assertThat(stopping.failure).as("who stops it").isNull();
        try {
          List<LocalVariable> all = jvmti.locals().all(worker.thread, 0);
          List<Object> counted =
              all.stream().filter(Looping::isCounted).map(LocalVariable::value).toList();
          // All the same, or some of the next round.
          assertThat(counted.stream().distinct()).hasSizeLessThanOrEqualTo(2);
          stopping.reads += counted.isEmpty() ? 0 : 1;
        } catch (JvmtiException runs) {
          // Or it was resumed in the middle.
        }
      }
      assertThat(stopping.reads).isGreaterThanOrEqualTo(STOPS / Stopping.WITH_A_READ);
    }
  }

  /** Where the name of a variable was found may be another one by the time that it is written. */
  @Test
  void nothingIsWrittenToAFrameThatIsElsewhereByThen() {
    NativeLibrary.load();
    Object owner = new Object();
    long env = GeneralNatives.open(owner);
    try (Kept kept = Kept.platform()) {
      CapabilitiesNatives.addCapabilities(env, 1L << CAN_ACCESS_LOCAL_VARIABLES.ordinal());
      Thread thread = kept.thread();
      JvmTools.suspendThread(thread);
      try {
        int depth = Traces.frames(JvmTools.getStackTrace(thread), "keep").get(0).depth();
        long[] now = FrameNatives.getFrameLocation(env, thread, depth);
        long[] caller = FrameNatives.getFrameLocation(env, thread, depth + 1);
        for (long[] other : new long[][] {{now[0], now[1] + 1}, {caller[0], now[1]}}) {
          assertThatThrownBy(
                  () -> LocalNatives.setLocalInt(env, other[0], other[1], thread, depth, NUMBER, 7))
              .isExactlyInstanceOf(ThreadNotSuspendedException.class);
        }
        LocalNatives.setLocalInt(env, now[0], now[1], thread, depth, NUMBER, 8);
      } finally {
        JvmTools.resumeThreadList(List.of(thread));
      }
      assertThat(kept.outcome()).contains(", 8, 4, ");
    } finally {
      GeneralNatives.close(env);
    }
  }

  /** What the thread does. */
  static final class Looping {

    volatile boolean isCounting;
    volatile boolean isOver;
    volatile int rounds;

    static boolean isCounted(LocalVariable variable) {
      return variable.name().matches("n\\d");
    }

    @SuppressWarnings({"NonAtomicOperationOnVolatileField", "UnusedVariable"})
    void count() {
      int round = 0;
      int n1 = 0;
      int n2 = 0;
      int n3 = 0;
      int n4 = 0;
      int n5 = 0;
      int n6 = 0;
      int n7 = 0;
      int n8 = 0;
      isCounting = true;
      while (!isOver) {
        round++;
        n1 = round;
        n2 = round;
        n3 = round;
        n4 = round;
        n5 = round;
        n6 = round;
        n7 = round;
        n8 = round;
      }
      rounds = n1 + n2 + n3 + n4 + n5 + n6 + n7 + n8;
    }
  }

  private static final class Running implements AutoCloseable {

    final Thread thread;
    private final Looping looping;

    Running(Looping looping, Runnable body) {
      this.looping = looping;
      thread = new Thread(body, "worker");
      thread.setDaemon(true);
      thread.start();
      // Suspended before that it would have no numbers to be read.
      Eventually.isTrue("it counts", () -> looping.isCounting);
    }

    @Override
    public void close() {
      looping.isOver = true;
      Eventually.isTrue("it ends", () -> !thread.isAlive());
    }
  }

  /** Has a thread stand still again and again, for a moment, until it is closed. */
  private static final class Stopping implements AutoCloseable {

    /**
     * Each of so many stops lasts until it has been read: one that is short may be over by then.
     */
    static final int WITH_A_READ = 16;

    volatile int stops;
    volatile int reads;
    volatile Throwable failure;
    private volatile boolean isOver;
    private final Thread thread;

    Stopping(Threads threads, Thread worker) {
      thread =
          new Thread(
              () -> {
                try {
                  run(threads, worker);
                } catch (Throwable thrown) {
                  failure = thrown;
                }
              },
              "stopping");
      thread.setDaemon(true);
      thread.start();
    }

    @SuppressWarnings("NonAtomicOperationOnVolatileField") // One thread writes it.
    private void run(Threads threads, Thread worker) {
      while (!isOver) {
        threads.suspend(worker);
        int before = reads;
        if (stops % WITH_A_READ == 0) {
          Eventually.isTrue("it is read", () -> reads > before || isOver);
        }
        for (int i = 0; i < stops % 64; i++) {
          Thread.yield();
        }
        threads.resume(worker);
        stops++;
      }
    }

    @Override
    public void close() {
      isOver = true;
      Eventually.isTrue("it ends", () -> !thread.isAlive());
    }
  }
}
