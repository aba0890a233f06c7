package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.dump.ThreadDump;
import java.security.Permission;
import java.time.Duration;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Natives ask no SecurityManager for the JDK's own classes. What Java code here asks for, such as
 * the class loaders that a dump names, is for the manager to permit.
 */
@EnabledForJreRange(
    max = JRE.JAVA_23,
    disabledReason = "JDK 24 and later have no SecurityManager (JEP 486)")
class SecurityManagerTest {

  @ParameterizedTest
  @EnumSource
  void oneThatComesAfterTheFirstUseForbidsNothing(WayIn way) {
    way.of(After.class).jvmArgs("-Djava.security.manager=allow").run().succeeds();
  }

  static final class After {
    public static void main(String[] args) {
      assertThat(JvmTools.getAllThreads()).isNotEmpty();
      useUnder(new Forbids("getClassLoader"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = "AGENT")
  void oneThatComesBeforeTheFirstUseForbidsNothing(WayIn way) {
    way.of(Before.class).jvmArgs("-Djava.security.manager=allow").run().succeeds();
  }

  /** Loading the library by ourselves is another matter: that is for the manager to permit. */
  static final class Before {
    public static void main(String[] args) {
      useUnder(new Forbids("getClassLoader"));
    }
  }

  @SuppressWarnings("removal")
  private static void useUnder(SecurityManager manager) {
    System.setSecurityManager(manager);
    Object tagged = new Object();
    JvmTools.setTag(tagged, 1);
    assertThat(JvmTools.getObjectsWithTag(1, Object.class)).containsExactly(tagged);
    assertThat(JvmTools.getAllThreads()).contains(Thread.currentThread());
    try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND)) {
      jvmti.threads().withOthersSuspended(Duration.ofMinutes(1), () -> null);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whereTheBeanMayNotBeAskedADumpSaysSo(WayIn way) {
    way.of(Unmanaged.class).jvmArgs("-Djava.security.manager=allow").run().succeeds();
  }

  static final class Unmanaged {
    @SuppressWarnings("removal")
    public static void main(String[] args) {
      try (Jvmti jvmti = Jvmti.open()) {
        System.setSecurityManager(new Forbids("monitor"));
        ThreadDump dump = jvmti.dumps().take();
        assertThat(dump.thread(Thread.currentThread())).isPresent();
        assertThat(dump.deadlocksKnown()).isFalse();
        assertThat(dump.unknown())
            .anyMatch(line -> line.startsWith("deadlocks over monitors: a SecurityManager lets "));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whereTheProcessMayNotBeAskedADumpDoesWithout(WayIn way) {
    way.of(Nameless.class).jvmArgs("-Djava.security.manager=allow").run().succeeds();
  }

  static final class Nameless {
    @SuppressWarnings("removal")
    public static void main(String[] args) {
      try (Jvmti jvmti = Jvmti.open()) {
        System.setSecurityManager(new Forbids("manageProcess"));
        ThreadDump dump = jvmti.dumps().take();
        assertThat(dump.thread(Thread.currentThread())).isPresent();
        assertThat(dump.processId()).isEmpty();
        assertThat(dump.toString()).contains("Thread dump of " + dump.vm());
        assertThat(dump.toJson()).contains("\"processId\":null");
      }
    }
  }

  @SuppressWarnings("removal")
  private static final class Forbids extends SecurityManager {

    private final String permission;

    Forbids(String permission) {
      this.permission = permission;
    }

    @Override
    public void checkPermission(Permission asked) {
      if (asked.getName().equals(permission)) {
        throw new SecurityException("no " + asked);
      }
    }
  }
}
