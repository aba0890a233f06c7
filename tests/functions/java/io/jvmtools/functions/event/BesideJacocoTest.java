package io.jvmtools.functions.event;

import static io.jvmtools.Capability.CAN_RETRANSFORM_CLASSES;
import static io.jvmtools.event.EventTypes.CLASS_FILE_LOAD_HOOK;
import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.Agent;
import io.jvmtools.AgentOrigin;
import io.jvmtools.Jvmti;
import io.jvmtools.event.ClassFileLoadHookEvent;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.Subscription;
import io.jvmtools.functions.ClassFiles;
import io.jvmtools.functions.UnderTheAgentTest;
import io.jvmtools.support.ChildJvm;
import io.jvmtools.support.Installation;
import io.jvmtools.support.JavaAgentJar;
import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.ICounter;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.tools.ExecFileLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Class files that JaCoCo changes, and a listener too. JaCoCo's transformer is none that can
 * retransform, so it is always shown a class before our environments, whoever came first.
 */
class BesideJacocoTest {

  private static final String NAME = "io.jvmtools.functions.event.Covered";
  private static final EventFilter COVERED = EventFilter.ANY.classes(NAME);

  /** Who comes first, and how our library comes in. */
  enum Order {
    JACOCO_THEN_LOADED,
    JACOCO_THEN_AGENT,
    AGENT_THEN_JACOCO,
    LISTENER_THEN_JACOCO
  }

  @ParameterizedTest
  @EnumSource
  @Tag(UnderTheAgentTest.ONCE)
  void bothChangeAClassAndItsCoverageIsRecorded(Order order, @TempDir Path folder)
      throws IOException {
    Path recorded = folder.resolve("jacoco.exec");
    String jacoco = "-javaagent:" + jacocoAgent() + "=destfile=" + recorded + ",includes=" + NAME;
    ChildJvm child = ChildJvm.of(Program.class);
    child =
        switch (order) {
          case JACOCO_THEN_LOADED -> child.jvmArgs(jacoco);
          case JACOCO_THEN_AGENT -> child.jvmArgs(jacoco).agent("");
          case AGENT_THEN_JACOCO -> child.agent("").jvmArgs(jacoco);
          case LISTENER_THEN_JACOCO ->
              child.jvmArgs(
                  "-javaagent:" + JavaAgentJar.write(folder.resolve("a.jar"), Program.class),
                  jacoco);
        };
    child.args(order.name()).run().succeeds().out().contains("both have changed it");
    assertThatOneOfTwoAnswersIsCovered(recorded);
  }

  private static Path jacocoAgent() {
    return Installation.classPath().stream()
        .filter(
            path -> path.getFileName().toString().matches("org\\.jacoco\\.agent-.*-runtime\\.jar"))
        .findFirst()
        .orElseThrow();
  }

  /** By what JaCoCo itself makes of its file, and of the class file that it has changed. */
  private static void assertThatOneOfTwoAnswersIsCovered(Path recorded) throws IOException {
    ExecFileLoader loader = new ExecFileLoader();
    loader.load(recorded.toFile());
    CoverageBuilder builder = new CoverageBuilder();
    new Analyzer(loader.getExecutionDataStore(), builder)
        .analyzeClass(ClassFiles.of(Covered.class), NAME);
    assertThat(builder.getNoMatchClasses()).isEmpty();
    IClassCoverage covered = builder.getClasses().iterator().next();
    IMethodCoverage answer =
        covered.getMethods().stream()
            .filter(method -> method.getName().equals("answer"))
            .findFirst()
            .orElseThrow();
    assertThat(answer.getBranchCounter().getCoveredCount()).isEqualTo(1);
    assertThat(answer.getBranchCounter().getMissedCount()).isEqualTo(1);
    ICounter lines = answer.getLineCounter();
    assertThat(lines.getCoveredCount()).isEqualTo(2);
    assertThat(lines.getMissedCount()).isEqualTo(1);
  }

  /** What the child runs; and an agent that begins to listen before JaCoCo does. */
  static final class Program {

    /** Kept until the end. */
    private static final Jvmti JVMTI = Jvmti.open(CAN_RETRANSFORM_CLASSES);

    private static final List<ClassFileLoadHookEvent> TOLD = new ArrayList<>();
    private static Subscription first;

    private Program() {}

    public static void premain(String options) {
      first = listen("one", "ONE");
    }

    public static void main(String[] args) {
      Order order = Order.valueOf(args[0]);
      AgentOrigin expected =
          order == Order.JACOCO_THEN_AGENT || order == Order.AGENT_THEN_JACOCO
              ? AgentOrigin.AT_START
              : AgentOrigin.LIBRARY;
      assertThat(Agent.origin()).isEqualTo(expected);
      assertThat(first != null).isEqualTo(order == Order.LISTENER_THEN_JACOCO);
      if (first == null) {
        first = listen("one", "ONE");
      }
      onLoad();
      retransformed();
      transformedOnce();
      System.out.println("both have changed it");
    }

    private static void onLoad() {
      assertThat(Covered.answer(true)).isEqualTo("ONE");
      assertThatJacocoIsThere();
      assertThatJacocoWasShownFirst(Optional.empty());
    }

    /** JaCoCo is not asked again, and what it has made stays. */
    private static void retransformed() {
      first.close();
      JVMTI.classes().retransform(Covered.class);
      assertThat(Covered.answer(true)).isEqualTo("one");
      try (Subscription second = listen("one", "two")) {
        JVMTI.classes().retransform(Covered.class);
        assertThat(Covered.answer(true)).isEqualTo("two");
        assertThatJacocoIsThere();
        assertThatJacocoWasShownFirst(Optional.of(Covered.class));
        assertThat(second.counts().failed()).isZero();
      }
    }

    private static void transformedOnce() {
      ClassFileTransformer once =
          new ClassFileTransformer() {
            @Override
            public byte[] transform(
                ClassLoader loader, String name, Class<?> t, ProtectionDomain d, byte[] file) {
              return ClassFiles.renamed(file, Map.of("one", "three"));
            }
          };
      assertThat(JVMTI.classes().retransform(once, Covered.class)).containsExactly(Covered.class);
      assertThat(Covered.answer(true)).isEqualTo("three");
      assertThatJacocoIsThere();
    }

    private static Subscription listen(String from, String to) {
      Map<String, String> constants = Map.of(from, to);
      return JVMTI
          .events()
          .answer(
              CLASS_FILE_LOAD_HOOK,
              COVERED,
              event -> {
                TOLD.add(event);
                return Optional.of(ClassFiles.renamed(event.classData(), constants));
              });
    }

    /** Of class files before version 55 it has a field, too. */
    private static void assertThatJacocoIsThere() {
      assertThat(Covered.class.getDeclaredMethods())
          .extracting(Method::getName)
          .contains("$jacocoInit");
    }

    private static void assertThatJacocoWasShownFirst(Optional<Class<?>> redefined) {
      assertThat(TOLD).hasSize(1);
      ClassFileLoadHookEvent event = TOLD.remove(0);
      assertThat(event.classBeingRedefined()).isEqualTo(redefined);
      assertThat(new String(event.classData(), StandardCharsets.ISO_8859_1))
          .contains("$jacocoInit");
    }
  }
}
