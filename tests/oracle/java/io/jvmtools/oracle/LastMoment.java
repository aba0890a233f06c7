package io.jvmtools.oracle;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.WrongPhaseException;
import io.jvmtools.support.Child;

/**
 * Another thread wants to suspend the one that ends the JVM, when nobody could resume it any more.
 */
final class LastMoment {

  private static volatile boolean hasCome;
  private static volatile String answer = "";

  private LastMoment() {}

  /** Has {@link #come} called at the last moment. */
  private static native void await();

  public static void main(String[] args) {
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
      answer = tooLate.error().toString();
    }
  }

  /** On the thread that ends the JVM. */
  static void come() {
    hasCome = true;
    while (answer.isEmpty()) {
      Thread.onSpinWait();
    }
    Child.say(answer);
  }
}
