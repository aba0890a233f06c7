package io.jvmtools.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.jvmtools.Agent;
import io.jvmtools.AgentOrigin;
import io.jvmtools.AttachFailedException;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.support.Child;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.Installation;
import io.jvmtools.support.RunningChild;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three ways into a JVM, and any two together give one agent. */
class WaysInTest {

  @Test
  void plainUseLoadsTheLibraryOfTheJar(@TempDir Path dir) {
    Path extracted = dir.resolve("extracted");
    ChildResult result =
        ChildJvm.of(Report.class).jvmArgs("-Djvmtools.extract.dir=" + extracted).run().succeeds();
    assertThat(result.line("origin ")).isEqualTo("LIBRARY");
    assertThat(Path.of(result.line("library "))).hasParent(extracted);
  }

  @Test
  void theAgentAndTheJarAreOne() {
    ChildResult result = ChildJvm.of(Report.class).agent("").run().succeeds();
    assertThat(result.line("origin ")).isEqualTo("AT_START");
    assertThat(result.line("library ")).isEqualTo(Installation.library().toString());
  }

  @Test
  void anAttachedAgentAndTheJarAreOne() {
    try (RunningChild child = ChildJvm.of(Report.class).args("attached").start()) {
      child.await("ready");
      AttachTo.with(Installation.library(), child.pid(), "").out().contains("attached");
      child.say("attached");
      ChildResult result = child.end().succeeds();
      assertThat(result.line("origin ")).isEqualTo("ATTACHED");
      assertThat(result.line("library ")).isEqualTo(Installation.library().toString());
    }
  }

  @Test
  void attachingTwiceIsOneAgent() {
    try (RunningChild child = ChildJvm.of(Report.class).args("once", "twice").start()) {
      for (String time : new String[] {"once", "twice"}) {
        child.await("ready");
        AttachTo.with(Installation.library(), child.pid(), "").out().contains("attached");
        child.say(time);
      }
      assertThat(child.end().succeeds().line("origin ")).isEqualTo("ATTACHED");
    }
  }

  @Test
  void theAgentOfTheStartStaysThatWhenItIsAttachedToo() {
    try (RunningChild child = ChildJvm.of(Report.class).agent("").args("attached").start()) {
      child.await("ready");
      AttachTo.with(Installation.library(), child.pid(), "").out().contains("attached");
      child.say("attached");
      assertThat(child.end().succeeds().line("origin ")).isEqualTo("AT_START");
    }
  }

  @Test
  void attachingACopyLeavesTheAgentOfTheStartInCharge(@TempDir Path dir) throws Exception {
    Path copy = Files.copy(Installation.library(), dir.resolve("libcopy.so"));
    try (RunningChild child = ChildJvm.of(Report.class).agent("").args("attached").start()) {
      child.await("ready");
      AttachTo.with(copy, child.pid(), "").out().contains("attached");
      child.say("attached");
      ChildResult result = child.end().succeeds();
      assertThat(result.line("origin ")).isEqualTo("AT_START");
      assertThat(result.line("library ")).isEqualTo(Installation.library().toString());
    }
  }

  @Test
  void attachingTheFileThatTheJarLoadedIsTheSameImage() {
    String library = Installation.library().toString();
    try (RunningChild child =
        ChildJvm.of(UseThenAttach.class).jvmArgs("-Djvmtools.library.path=" + library).start()) {
      child.await("ready");
      AttachTo.with(Installation.library(), child.pid(), "").out().contains("attached");
      child.say("attached");
      ChildResult result = child.end().succeeds();
      assertThat(result.line("origin ")).isEqualTo("ATTACHED");
      assertThat(result.line("library ")).isEqualTo(library);
    }
  }

  static final class UseThenAttach {
    public static void main(String[] args) {
      Object owner = new Object();
      try (Jvmti jvmti = Jvmti.open()) {
        long handle = GeneralNatives.open(owner);
        assertThat(Agent.origin()).isEqualTo(AgentOrigin.LIBRARY);
        Child.say("ready");
        Child.await("attached");
        assertThat(jvmti.isOpen()).isTrue();
        assertThat(GeneralNatives.isOpen(handle)).isTrue();
        Report.print();
      }
    }
  }

  @Test
  void attachingOnlyWhatTheStartCanGiveIsRefusedInBothJvms() {
    try (RunningChild child = ChildJvm.of(Report.class).args("refused").start()) {
      child.await("ready");
      ChildResult attacher = AttachTo.with(Installation.library(), child.pid(), "hold=can_suspend");
      assertThat(attacher.line("refused: ")).contains(Long.toString(child.pid()));
      child.say("refused");
      child
          .end()
          .succeeds()
          .err()
          .filteredOn(line -> line.startsWith("jvmtools: "))
          .singleElement()
          .asString()
          .contains("option 'hold' works only when the JVM starts with the agent");
    }
  }

  @Test
  void aJvmCanAttachToItselfWhereThatIsAllowed() {
    ChildJvm.of(SelfAttach.class)
        .jvmArgs("-Djdk.attach.allowAttachSelf=true")
        .run()
        .succeeds()
        .out()
        .contains("origin ATTACHED");
  }

  @Test
  void aJvmThatMayNotAttachToItselfIsToldWhatWouldAllowIt() {
    String refusal = ChildJvm.of(SelfAttach.class).run().succeeds().line("refused: ");
    assertThat(refusal).contains("-Djdk.attach.allowAttachSelf=true");
  }

  static final class SelfAttach {
    public static void main(String[] args) {
      try {
        Agent.attachSelf();
        Report.print();
      } catch (AttachFailedException refused) {
        System.out.println("refused: " + refused.getMessage());
      }
    }
  }

  @Test
  void attachingToNobodyIsAnExceptionThatSaysSo() {
    ChildJvm.of(AttachToNobody.class).run().succeeds();
  }

  static final class AttachToNobody {

    /** Above every kernel's largest process id. */
    private static final long NOBODY = Integer.MAX_VALUE;

    public static void main(String[] args) {
      AttachFailedException refused =
          catchThrowableOfType(AttachFailedException.class, () -> Agent.attach(NOBODY));
      assertThat(refused.pid()).isEqualTo(NOBODY);
      assertThat(refused).hasMessageContaining("no such process");
      assertThat(JvmTools.getAllThreads()).isNotEmpty();
    }
  }
}
