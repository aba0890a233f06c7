package io.jvmtools.functions.dump;

import static io.jvmtools.Capability.CAN_ACCESS_LOCAL_VARIABLES;
import static io.jvmtools.Capability.CAN_GET_CURRENT_CONTENDED_MONITOR;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Jvmti;
import io.jvmtools.dump.DumpedLock;
import io.jvmtools.dump.DumpedWait;
import io.jvmtools.dump.ThreadDump;
import io.jvmtools.functions.VirtualThreads;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Eventually;
import io.jvmtools.support.Installation;
import io.jvmtools.support.Parked;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * What threads wait on in {@link Object#wait()}: before JDK 23 as the JVM tells, and from then on
 * as the receiver of the innermost frame. From 24 on virtual threads are not on a stack there, and
 * are not asked.
 */
class AwaitedObjectsTest {

  @Test
  void theyAreTold() throws Exception {
    ChildJvm.of(Program.class).agent("prepare=can_access_local_variables").run().succeeds();
  }

  /** Of a compiled native method of a virtual thread the JVM looks for the receiver on a stack. */
  @Test
  @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
  void theFrameMayBeCompiled() throws Exception {
    ChildJvm.of(Program.class)
        .agent("prepare=can_access_local_variables")
        .jvmArgs("-XX:CompileCommand=quiet", "-XX:CompileCommand=compileonly,java.lang.Object::*")
        .jvmArgs("-Xcomp")
        .run()
        .succeeds();
  }

  static final class Program {

    public static void main(String... args) throws Exception {
      StringBuilder awaited = new StringBuilder("awaited");
      List<Thread> waiting = new ArrayList<>();
      waiting.add(new Thread(() -> await(awaited, 0)));
      waiting.add(new Thread(() -> await(awaited, Long.MAX_VALUE)));
      waiting.forEach(Thread::start);
      if (Parked.hasVirtualThreads()) {
        waiting.add(VirtualThreads.start("virtual", () -> await(awaited, 0)));
      }
      for (Thread one : waiting) {
        Eventually.isTrue(one + " waits", () -> one.getState().name().endsWith("WAITING"));
      }
      try (Jvmti jvmti =
          Jvmti.open(CAN_SUSPEND, CAN_GET_CURRENT_CONTENDED_MONITOR, CAN_ACCESS_LOCAL_VARIABLES)) {
        ThreadDump dump = jvmti.dumps().take();
        for (Thread one : waiting) {
          DumpedWait wait = dump.thread(one).orElseThrow().waitsFor().orElseThrow();
          assertThat(wait.kind()).as(one.toString()).isEqualTo(DumpedWait.Kind.NOTIFICATION);
          if (Installation.feature() >= 24 && dump.thread(one).orElseThrow().isVirtual()) {
            assertThat(wait.lock()).isEmpty();
            assertThat(dump.unknown()).anyMatch(line -> line.startsWith("the objects of Object"));
            continue;
          }
          DumpedLock lock = wait.lock().orElseThrow();
          assertThat(lock.className()).isEqualTo("java.lang.StringBuilder");
          assertThat(lock.identityHash()).isEqualTo(System.identityHashCode(awaited));
        }
      }
      waiting.forEach(Thread::interrupt);
      for (Thread one : waiting) {
        one.join();
      }
    }

    private static void await(Object awaited, long millis) {
      synchronized (awaited) {
        try {
          awaited.wait(millis);
        } catch (InterruptedException over) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }
}
