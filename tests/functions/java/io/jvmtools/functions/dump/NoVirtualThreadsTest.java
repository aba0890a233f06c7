package io.jvmtools.functions.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.support.ChildJvm;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** A program that has no virtual threads gets no thread of the JDK that is there for them. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with JDK 21")
class NoVirtualThreadsTest {

  @Test
  void aDumpStartsNoThreadsForThem() {
    ChildJvm.of(Program.class).run().succeeds();
  }

  @Test
  void norDoesOneUnderTheAgent() {
    ChildJvm.of(Program.class).agent("prepare=can_access_local_variables").run().succeeds();
  }

  static final class Program {

    public static void main(String... args) throws Exception {
      Class<?> virtual = Class.forName("java.lang.VirtualThread", false, null);
      Set<String> before = names();
      JvmTools.threadDump();
      try (Jvmti jvmti = Jvmti.open()) {
        jvmti.dumps().take();
        jvmti.threads().all().forEach(jvmti.threads()::role);
      }
      try (Jvmti jvmti =
          Jvmti.open(Capability.CAN_SUSPEND, Capability.CAN_SUPPORT_VIRTUAL_THREADS)) {
        jvmti.dumps().take();
        jvmti.threads().withOthersSuspended(Duration.ofSeconds(10), () -> "nothing");
      }
      Set<String> more = names();
      more.removeAll(before);
      assertThat(more).allMatch(name -> name.startsWith("jvmtools-"));
      assertThat(JvmTools.getClassStatus(virtual).isInitialized()).isFalse();
    }

    private static Set<String> names() {
      return Thread.getAllStackTraces().keySet().stream()
          .map(Thread::getName)
          .collect(Collectors.toSet());
    }
  }
}
