package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;

import io.jvmtools.Agent;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.WrongPhaseException;
import io.jvmtools.support.Child;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A daemon thread that calls when the JVM has ended, and another agent is still at work. */
class DeadPhaseTest {

  private static final Path LATE = Installation.root().resolve("build/liblate.so");

  private static final String ENDED = "not in the dead phase, in which the JVM is";

  private static ChildResult run(String how) {
    return ChildJvm.of(Program.class)
        .agent(LATE, "")
        .jvmArgs("--enable-native-access=ALL-UNNAMED")
        .args(how)
        .run()
        .succeeds();
  }

  @Test
  void whoCallsForTheFirstTimeIsToldThatItHasEnded() {
    run("first")
        .out()
        .contains(
            "phase: GetEnv the JVM has ended",
            "open: GetEnv the JVM has ended",
            "dump: GetEnv the JVM has ended",
            "path: GetEnv the JVM has ended");
  }

  @Test
  void whoHasCalledBeforeIsToldSoByEachCall() {
    run("again")
        .out()
        .contains(
            "phase: DEAD",
            "dump: GetFrameCount " + ENDED,
            "suspend: SuspendThread the JVM is ending",
            "an action: SuspendThread the JVM is ending",
            "resume: ResumeThread " + ENDED,
            "capability: GetPotentialCapabilities " + ENDED);
  }

  static final class Program {

    private interface Call {
      Object make();
    }

    private static native void awaitEnd();

    private static native void tell();

    public static void main(String[] args) {
      System.load(LATE.toString());
      Parked victim = Parked.inPark();
      Jvmti jvmti = args[0].equals("first") ? null : Jvmti.open(CAN_SUSPEND);
      Thread late =
          new Thread(
              () -> {
                awaitEnd();
                call("phase", JvmTools::getPhase);
                call("dump", JvmTools::threadDump);
                if (jvmti == null) {
                  call("open", Jvmti::open);
                  call("path", Agent::libraryPath);
                } else {
                  again(jvmti, victim.thread());
                }
                tell();
              });
      late.setDaemon(true);
      late.start();
    }

    private static void again(Jvmti jvmti, Thread victim) {
      call(
          "suspend",
          () -> {
            jvmti.threads().suspend(victim);
            return "done";
          });
      call(
          "an action",
          () -> jvmti.threads().withSuspended(victim, Duration.ofSeconds(1), () -> "done"));
      call(
          "resume",
          () -> {
            jvmti.threads().resume(victim);
            return "done";
          });
      call("capability", () -> Jvmti.open(CAN_TAG_OBJECTS));
    }

    private static void call(String name, Call call) {
      String answer;
      try {
        answer = String.valueOf(call.make());
      } catch (WrongPhaseException ended) {
        answer = ended.function() + " " + ended.getMessage().replaceFirst(".*\\): ", "");
      } catch (Throwable unexpected) {
        answer = unexpected.toString();
      }
      Child.say(name + ": " + answer);
    }
  }
}
