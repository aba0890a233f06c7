package io.jvmtools.examples;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GET_CURRENT_CONTENDED_MONITOR;
import static io.jvmtools.Capability.CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO;
import static io.jvmtools.Capability.CAN_SUSPEND;

import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpOptions;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** What {@code jstack -l} says, and what each frame has in its variables. */
public final class E02StacksWithLocals {

  private E02StacksWithLocals() {}

  /** Needs the agent, with {@code prepare=can_access_local_variables}. */
  public static void main(String... arguments) throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    Thread teller = new Thread(() -> withdraw(inside, "account-7", 250), "teller");
    teller.start();
    inside.await();
    try (Jvmti jvmti =
        Jvmti.open(
            CAN_SUSPEND,
            CAN_ACCESS_LOCAL_VARIABLES,
            CAN_GET_OWNED_MONITOR_STACK_DEPTH_INFO,
            CAN_GET_CURRENT_CONTENDED_MONITOR)) {
      System.out.println(
          jvmti.dumps().take(DumpOptions.defaults().deadline(Duration.ofMillis(500))));
      teller.interrupt();
    }
  }

  private static synchronized void withdraw(CountDownLatch inside, String account, long cents) {
    inside.countDown();
    try {
      Thread.sleep(60_000);
    } catch (InterruptedException e) {
      System.out.println(cents + " cents stay in " + account);
    }
  }
}
