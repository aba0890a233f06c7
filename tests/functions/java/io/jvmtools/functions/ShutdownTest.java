package io.jvmtools.functions;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.WrongPhaseException;
import io.jvmtools.support.Child;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** While the JVM ends, threads of the application may still be calling. */
@Tag(UnderTheAgentTest.ONCE)
class ShutdownTest {

  /** So that newer JDKs print nothing about the library. */
  private static final String QUIET = "--enable-native-access=ALL-UNNAMED";

  @RepeatedTest(5)
  void daemonThreadsThatCallWhileTheJvmEndsDoNoHarm() {
    ChildResult child = ChildJvm.of(Daemons.class).jvmArgs(QUIET).run().succeeds();
    child.out().contains("end of main");
    child.err().isEmpty();
  }

  @Test
  void daemonThreadsThatCallWhileTheJvmHaltsDoNoHarm() {
    ChildResult child = ChildJvm.of(Daemons.class).jvmArgs(QUIET).args("halt").run().succeeds();
    child.err().isEmpty();
  }

  @Test
  void shutdownHooksMayCallAndAreStillInTheLivePhase() {
    ChildResult child = ChildJvm.of(Hook.class).run().succeeds();
    child.out().containsSubsequence("end of main", "hook in LIVE", "end of hook");
  }

  static final class Daemons {
    public static void main(String[] args) throws InterruptedException {
      CountDownLatch running = new CountDownLatch(6);
      Jvmti jvmti = Jvmti.open();
      // Not the keys: the thread that ends the JVM is listed before its constructor has run.
      start(running, thread -> JvmTools.getAllStackTraces().values().toString());
      start(running, JvmTools::getStackTrace);
      start(running, thread -> JvmTools.setTag(thread, 1));
      start(running, thread -> JvmTools.getObjectsWithTags(1));
      start(running, thread -> jvmti.threads().state(thread));
      start(
          running,
          thread -> {
            try (Jvmti own = Jvmti.open()) {
              own.phase();
            }
          });
      running.await();
      Child.say("end of main");
      if (args.length > 0) {
        Runtime.getRuntime().halt(0);
      }
    }

    private static void start(CountDownLatch running, Consumer<Thread> call) {
      Thread main = Thread.currentThread();
      Thread daemon =
          new Thread(
              () -> {
                call.accept(main);
                running.countDown();
                try {
                  while (true) {
                    call.accept(Thread.currentThread());
                  }
                } catch (WrongPhaseException theEnd) {
                  // The JVM was dead before the thread was.
                } catch (Throwable unexpected) {
                  System.err.println("in a daemon: " + unexpected);
                }
              });
      daemon.setDaemon(true);
      daemon.start();
    }
  }

  static final class Hook {
    public static void main(String[] args) {
      Jvmti jvmti = Jvmti.open();
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    Child.say("hook in " + jvmti.phase());
                    JvmTools.getAllStackTraces().values().toString();
                    jvmti.close();
                    Child.say("end of hook");
                  }));
      Child.say("end of main");
    }
  }
}
