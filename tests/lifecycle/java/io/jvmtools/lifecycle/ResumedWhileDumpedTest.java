package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.ThreadSuspendedException;
import io.jvmtools.dump.DumpOptions;
import io.jvmtools.dump.DumpPart;
import io.jvmtools.dump.DumpedFrame;
import io.jvmtools.dump.DumpedLocal;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.OneJdkADay;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * A dump never gives a frame the local variables of another one, whoever resumes the thread
 * meanwhile.
 */
@OneJdkADay
class ResumedWhileDumpedTest {

  @Test
  void localVariablesAreOfTheirFrame() throws Exception {
    ChildJvm.of(Program.class).agent("prepare=can_access_local_variables").run().succeeds();
  }

  @Test
  @EnabledForJreRange(max = JRE.JAVA_19, disabledReason = "Thread.resume() does nothing any more")
  void javaResumesWithoutTellingUs() throws Exception {
    ChildJvm.of(Program.class)
        .args("java")
        .agent("prepare=can_access_local_variables")
        .run()
        .succeeds();
  }

  static final class Program {

    private static final int DUMPS = 3_000;

    private static volatile int sink;
    private static volatile boolean meddling;
    private static volatile boolean done;

    public static void main(String... args) throws Exception {
      Thread worker = daemon(Program::work);
      try (Jvmti jvmti =
          Jvmti.open(Capability.CAN_SUSPEND, Capability.CAN_ACCESS_LOCAL_VARIABLES)) {
        boolean byJava = args.length > 0;
        Runnable once = byJava ? resumeByJava(worker) : () -> suspendAndResume(jvmti, worker);
        Thread meddler = daemon(() -> meddle(once));
        DumpOptions options =
            DumpOptions.defaults().threads(List.of(worker)).parts(DumpPart.LOCAL_VARIABLES);
        int told = 0;
        int resumed = 0;
        // Every second one is left alone, and those that are not may need time to meet it.
        for (int i = 0; i < DUMPS || told == 0 || resumed == 0; i++) {
          meddling = i % 2 == 0;
          ThreadDump dump = jvmti.dumps().take(options);
          for (DumpedFrame frame : dump.threads().get(0).frames()) {
            for (DumpedLocal local : frame.locals()) {
              if (local.name().equals("mine")) {
                told++;
                assertThat(local.toString()).contains(frame.frame().methodName());
              }
            }
          }
          if (dump.unknown().toString().contains("one moment of")) {
            resumed++;
          }
        }
        done = true;
        meddler.join();
      }
    }

    private static Thread daemon(Runnable body) {
      Thread thread = new Thread(body);
      thread.setDaemon(true);
      thread.start();
      return thread;
    }

    private static void meddle(Runnable once) {
      while (!done) {
        if (meddling) {
          once.run();
        } else {
          Thread.onSpinWait();
        }
      }
    }

    private static void suspendAndResume(Jvmti jvmti, Thread worker) {
      try {
        jvmti.threads().suspend(worker);
        jvmti.threads().resume(worker);
      } catch (ThreadSuspendedException | ThreadNotSuspendedException byTheDump) {
        Thread.onSpinWait();
      }
    }

    /** By reflection: the compiler warns of it, and later releases have it only to refuse. */
    private static Runnable resumeByJava(Thread worker) throws NoSuchMethodException {
      Method resume = Thread.class.getMethod("resume");
      return () -> {
        try {
          resume.invoke(worker);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException(e);
        }
      };
    }

    private static void work() {
      while (true) {
        first();
        second();
      }
    }

    private static void first() {
      String mine = "first";
      spin();
      sink += mine.length();
    }

    private static void second() {
      String mine = "second";
      spin();
      sink += mine.length();
    }

    private static void spin() {
      for (int i = 0; i < 20_000; i++) {
        sink++;
      }
    }
  }
}
