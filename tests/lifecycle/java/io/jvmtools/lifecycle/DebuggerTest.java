package io.jvmtools.lifecycle;

import static io.jvmtools.Capability.CAN_GENERATE_BREAKPOINT_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_FIELD_ACCESS_EVENTS;
import static io.jvmtools.Capability.CAN_GENERATE_FIELD_MODIFICATION_EVENTS;
import static io.jvmtools.Capability.CAN_SUSPEND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.MissingCapabilityException.Reason;
import io.jvmtools.support.Child;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Installation;
import io.jvmtools.support.RunningChild;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The debugger's agent and ours in one JVM, in both orders. */
class DebuggerTest {

  private static final String JDWP =
      "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0";

  private static final List<Capability> DEBUGGERS =
      List.of(
          CAN_GENERATE_FIELD_MODIFICATION_EVENTS,
          CAN_GENERATE_FIELD_ACCESS_EVENTS,
          CAN_GENERATE_BREAKPOINT_EVENTS,
          CAN_SUSPEND);

  @BeforeAll
  static void debuggerExists() {
    assumeTrue(Installation.hasJdkLibrary("libjdwp.so"), "this JDK has no debugger agent");
  }

  @Test
  void ourAgentBeforeTheDebuggers() throws IOException {
    bothWork(child().agent("prepare=debugging").jvmArgs(JDWP), DEBUGGERS);
  }

  @Test
  void theDebuggersAgentBeforeOurs() throws IOException {
    bothWork(child().jvmArgs(JDWP).agent("prepare=debugging"), DEBUGGERS);
  }

  @Test
  void theDebuggerAndThePlainJar() throws IOException {
    // Whatever only the start could give is not the debugger's fault.
    bothWork(child().jvmArgs(JDWP), List.of(CAN_SUSPEND));
  }

  @Test
  void whatWeHoldFromTheStartIsNotTheDebuggers() {
    ChildResult result = child().agent("hold=can_suspend").jvmArgs(JDWP).run().fails();
    result.out().noneMatch(line -> line.startsWith("ours works"));
  }

  @Test
  void whatTheDebuggerHoldsIsSaidToBeHeld() {
    for (String option : List.of("hold", "prepare")) {
      ChildResult result = child().jvmArgs(JDWP).agent(option + "=can_suspend").run().fails();
      result
          .err()
          .filteredOn(line -> line.startsWith("jvmtools: "))
          .singleElement()
          .asString()
          .contains("another agent, such as a debugger, holds can_suspend")
          .contains("option '" + option + "'");
    }
  }

  /** The debugger's own agent makes {@code -Xcheck:jni} complain. */
  private static ChildJvm child() {
    return ChildJvm.of(Main.class).withoutJniChecks();
  }

  private static void bothWork(ChildJvm jvm, List<Capability> held) throws IOException {
    try (RunningChild child = jvm.start()) {
      String address = child.await("Listening for transport dt_socket at address: ");
      assertThat(child.await("ours works, without ")).isEqualTo(held.toString());
      greetDebugger(Integer.parseInt(address.replaceAll(".*:", "").trim()));
      child.say("end");
      child.end().succeeds();
    }
  }

  /** The debugger answers the greeting of the wire protocol. */
  private static void greetDebugger(int port) throws IOException {
    byte[] greeting = "JDWP-Handshake".getBytes(StandardCharsets.US_ASCII);
    try (Socket socket = new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port)) {
      socket.getOutputStream().write(greeting);
      assertThat(socket.getInputStream().readNBytes(greeting.length)).isEqualTo(greeting);
    }
  }

  static final class Main {
    public static void main(String[] args) {
      assertThat(JvmTools.getStackTrace(Thread.currentThread())).isNotEmpty();
      try (Jvmti jvmti = Jvmti.open()) {
        Set<Capability> held = jvmti.capabilities().heldByOther();
        for (Capability capability : held) {
          MissingCapabilityException missing =
              catchThrowableOfType(MissingCapabilityException.class, () -> jvmti.add(capability));
          assertThat(missing.capability()).isEqualTo(capability);
          assertThat(missing.reason()).isEqualTo(Reason.HELD_BY_ANOTHER_ENVIRONMENT);
          assertThat(missing).hasMessageContaining("debugger");
        }
        assertThat(jvmti.capabilities().held()).isEmpty();
        Child.say("ours works, without " + List.copyOf(held));
      }
      Child.await("end");
    }
  }
}
