package io.jvmtools.embed;

import static io.jvmtools.Capability.CAN_FORCE_EARLY_RETURN;
import static io.jvmtools.Capability.CAN_TAG_OBJECTS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import io.jvmtools.Agent;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.internal.Probe;
import io.jvmtools.support.Child;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.ChildResult;
import io.jvmtools.support.GcUntil;
import io.jvmtools.support.Installation;
import io.jvmtools.support.LibraryCopy;
import io.jvmtools.support.OneJdkADay;
import io.jvmtools.support.RunningChild;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An executable that creates the JVM has the agent inside itself: {@code -agentlib:jvmtools} finds
 * it there, and so does {@code System.loadLibrary}. No file is extracted, no second image loaded.
 */
@OneJdkADay
class StaticAgentTest {

  private static final String AGENT = "-agentlib:jvmtools";

  @TempDir Path scratch;
  private Path extracted;

  @BeforeEach
  void nothingIsExtractedYet() {
    extracted = scratch.resolve("extracted");
  }

  private ChildJvm embedded(Class<?> main) {
    String libjvm = Installation.javaHome().resolve("lib/server/libjvm.so").toString();
    return ChildJvm.of(main)
        .launchedBy(System.getProperty("jvmtools.test.embed"), libjvm)
        .jvmArgs("-Djvmtools.extract.dir=" + extracted, "--enable-native-access=ALL-UNNAMED");
  }

  @Test
  void itIsTheAgentOfTheStart() {
    ChildResult result = embedded(UseEverything.class).jvmArgs(AGENT).run().succeeds();
    result.out().containsExactly("origin AT_START", "library files []", "can return early true");
    result.err().isEmpty();
    assertThat(extracted).doesNotExist();
  }

  @Test
  void withoutTheAgentPlainUseFindsTheLibraryInTheExecutable() {
    ChildResult result = embedded(UseEverything.class).run().succeeds();
    result.out().containsExactly("origin LIBRARY", "library files []", "can return early false");
    result.err().isEmpty();
    assertThat(extracted).doesNotExist();
  }

  static final class UseEverything {
    public static void main(String[] args) throws IOException {
      Thread self = Thread.currentThread();
      assertThat(JvmTools.getAllThreads()).contains(self);
      assertThat(JvmTools.getStackTrace(self).toString()).contains("UseEverything.main");
      Object tagged = new Object();
      try (Jvmti jvmti = Jvmti.open(CAN_TAG_OBJECTS)) {
        jvmti.objects().setTag(tagged, 42);
        assertThat(jvmti.objects().withTag(42, Object.class)).containsExactly(tagged);
      }
      Child.say("origin " + Agent.origin());
      Child.say("library files " + libraryFiles());
      Child.say(
          "can return early "
              + JvmTools.capabilities().obtainable().contains(CAN_FORCE_EARLY_RETURN));
    }

    private static List<String> libraryFiles() throws IOException {
      try (Stream<String> mappings = Files.lines(Path.of("/proc/self/maps"))) {
        return mappings.filter(line -> line.contains("/libjvmtools")).toList();
      }
    }
  }

  @Test
  void itsOptionsWork() {
    ChildResult result =
        embedded(UseEverything.class)
            .jvmArgs(AGENT + "=hold=can_suspend,run=" + RunFirst.class.getName())
            .run()
            .succeeds();
    result.out().startsWith("run before main", "origin AT_START");
  }

  static final class RunFirst {
    public static void main(String[] args) {
      Child.say("run before main");
    }
  }

  @Test
  void aWrongOptionStopsTheStart() {
    embedded(UseEverything.class)
        .jvmArgs(AGENT + "=hold=can_fly")
        .run()
        .fails()
        .err()
        .anyMatch(
            line -> line.startsWith("jvmtools: option 'hold' names no capability 'can_fly': "));
  }

  @Test
  void itCanBeAttachedByName() {
    try (RunningChild child = embedded(WaitThenUse.class).start()) {
      child.await("ready");
      ChildJvm.of(AttachByName.class).args(Long.toString(child.pid())).run().succeeds();
      child.say("attached");
      ChildResult result = child.end().succeeds();
      assertThat(result.line("origin ")).isEqualTo("ATTACHED");
      assertThat(result.line("library files ")).isEqualTo("[]");
      assertThat(extracted).doesNotExist();
    }
  }

  static final class WaitThenUse {
    public static void main(String[] args) throws IOException {
      Child.say("ready");
      Child.await("attached");
      UseEverything.main(args);
    }
  }

  static final class AttachByName {
    public static void main(String[] args) throws Exception {
      VirtualMachine target = VirtualMachine.attach(args[0]);
      target.loadAgentLibrary("jvmtools");
      target.detach();
    }
  }

  @Test
  void itAttachesItselfByName() {
    ChildResult result =
        embedded(AttachItself.class)
            .jvmArgs("-Djdk.attach.allowAttachSelf=true", "-XX:+EnableDynamicAgentLoading")
            .run()
            .succeeds();
    result.out().containsExactly("LIBRARY", "ATTACHED", "library files []");
    assertThat(extracted).doesNotExist();
  }

  static final class AttachItself {
    public static void main(String[] args) throws IOException {
      Child.say(Agent.origin());
      Agent.attachSelf();
      Child.say(Agent.origin());
      Child.say("library files " + UseEverything.libraryFiles());
    }
  }

  @Test
  void theLibraryPathIsAFileThatAnotherJvmCanLoad() {
    ChildResult result = embedded(SayLibraryPath.class).jvmArgs(AGENT).run().succeeds();
    Path file = Path.of(result.line("path "));
    assertThat(file).hasParent(extracted);
    ChildJvm.of(SayLibraryPath.class)
        .agent(file, "")
        .run()
        .succeeds()
        .out()
        .containsExactly("path " + file);
  }

  static final class SayLibraryPath {
    public static void main(String[] args) {
      Child.say("path " + Agent.libraryPath());
    }
  }

  @Test
  void aJarOfAnotherVersionIsToldThatItIsInTheExecutable() {
    embedded(AskAsNewer.class)
        .jvmArgs(AGENT)
        .run()
        .succeeds()
        .out()
        .singleElement()
        .asString()
        .matches("\\d+\\.\\d+\\.\\d+.* \\(ABI \\d+\\) in the executable");
  }

  static final class AskAsNewer {
    public static void main(String[] args) {
      Child.say(Probe.bind(99, "9.9.9"));
    }
  }

  @Test
  void copiesInSeveralClassLoadersShareIt() {
    ChildResult result = embedded(LoadInTwo.class).run().succeeds();
    result.out().containsExactly("first works", "second works", "first is gone, second works");
    assertThat(extracted).doesNotExist();
  }

  static final class LoadInTwo {
    public static void main(String[] args) {
      LibraryCopy first = new LibraryCopy();
      LibraryCopy second = new LibraryCopy();
      use(first, "first works");
      use(second, "second works");
      WeakReference<LibraryCopy> gone = new WeakReference<>(first);
      first = null;
      GcUntil.cleared(gone);
      use(second, "first is gone, second works");
    }

    private static void use(LibraryCopy copy, String line) {
      assertThat(copy.call(Threads.class)).isPositive();
      Child.say(line);
    }
  }

  static final class Threads implements Callable<Integer> {
    @Override
    public Integer call() {
      return JvmTools.getAllThreads().size();
    }
  }
}
