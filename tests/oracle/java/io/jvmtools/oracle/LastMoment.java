package io.jvmtools.oracle;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.WrongPhaseException;
import io.jvmtools.support.Child;
import io.jvmtools.support.Counting;
import io.jvmtools.support.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Another thread wants to suspend the one that ends the JVM, when nobody could resume it any more.
 */
final class LastMoment {

  private static volatile boolean hasCome;
  private static volatile String answer = "";

  /** What is suspended when the JVM ends, and by whom, who is not to be forgotten. */
  private static volatile @Nullable Thread suspended;

  private static volatile @Nullable Jvmti environment;

  private LastMoment() {}

  /** Has {@link #come} called at the last moment. */
  private static native void await();

  public static void main(String[] args) {
    if (args.length > 0) {
      suspend(args[0]);
      await();
      return;
    }
    Jvmti jvmti = Jvmti.open(Capability.CAN_SUSPEND);
    Thread ends = new Thread(() -> System.exit(0), "ends");
    Thread suspends = new Thread(() -> suspend(jvmti, ends), "suspends");
    suspends.setDaemon(true);
    suspends.start();
    await();
    ends.start();
  }

  private static void suspend(Jvmti jvmti, Thread ends) {
    while (!hasCome) {
      Thread.onSpinWait();
    }
    try {
      jvmti.threads().suspend(ends);
      answer = "suspended";
    } catch (WrongPhaseException tooLate) {
      // A dump is had without it.
      answer = tooLate.error() + ", " + jvmti.dumps().take().consistency();
    }
  }

  /** Nobody but VMDeath will resume it. */
  private static void suspend(String how) {
    boolean allVirtual = how.equals("all virtual");
    Thread worker = (allVirtual ? Counting.virtual() : Counting.platform()).thread();
    Jvmti jvmti = Jvmti.open(Capability.CAN_SUSPEND);
    switch (how) {
      case "one" -> jvmti.threads().suspend(worker);
      case "list" -> jvmti.threads().suspend(List.of(worker));
      case "static door" -> {
        jvmti.close();
        JvmTools.suspendThread(worker);
      }
      case "all virtual" -> {
        jvmti.add(Capability.CAN_SUPPORT_VIRTUAL_THREADS);
        jvmti.threads().suspendAllVirtual();
      }
      default -> {
        Thread acts = new Thread(() -> act(jvmti, worker), "acts");
        acts.setDaemon(true);
        acts.start();
      }
    }
    Eventually.isTrue("it is suspended", () -> isSuspended(worker));
    suspended = worker;
    environment = jvmti;
  }

  private static void act(Jvmti jvmti, Thread worker) {
    jvmti
        .threads()
        .withSuspended(
            worker,
            Duration.ofHours(1),
            () -> {
              while (true) {
                LockSupport.park();
              }
            });
  }

  private static boolean isSuspended(Thread thread) {
    return JvmTools.getThreadState(thread).isSuspended();
  }

  /** On the thread that ends the JVM. */
  static void come() {
    if (suspended != null) {
      Child.say("still suspended: " + isSuspended(suspended));
      return;
    }
    hasCome = true;
    while (answer.isEmpty()) {
      Thread.onSpinWait();
    }
    Child.say(answer);
  }
}
