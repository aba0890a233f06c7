package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.functions.errors.Universal;
import io.jvmtools.support.Sources;
import io.jvmtools.support.Spec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A function of the specification is there in every layer with every error, or in none. */
public class CoverageTest {

  /** What is promised so far; it only grows. */
  static final Set<String> PROMISED =
      Set.of(
          "AddCapabilities",
          "DisposeEnvironment",
          "GetAllStackTraces",
          "GetAllThreads",
          "GetAvailableProcessors",
          "GetCapabilities",
          "GetCurrentContendedMonitor",
          "GetCurrentThread",
          "GetCurrentThreadCpuTime",
          "GetCurrentThreadCpuTimerInfo",
          "GetErrorName",
          "GetFrameCount",
          "GetFrameLocation",
          "GetJLocationFormat",
          "GetObjectHashCode",
          "GetObjectMonitorUsage",
          "GetObjectSize",
          "GetObjectsWithTags",
          "GetOwnedMonitorInfo",
          "GetOwnedMonitorStackDepthInfo",
          "GetPhase",
          "GetPotentialCapabilities",
          "GetStackTrace",
          "GetTag",
          "GetThreadCpuTime",
          "GetThreadCpuTimerInfo",
          "GetThreadGroupChildren",
          "GetThreadGroupInfo",
          "GetThreadInfo",
          "GetThreadListStackTraces",
          "GetThreadLocalStorage",
          "GetThreadState",
          "GetTime",
          "GetTimerInfo",
          "GetTopThreadGroups",
          "GetVersionNumber",
          "InterruptThread",
          "RelinquishCapabilities",
          "ResumeAllVirtualThreads",
          "ResumeThread",
          "ResumeThreadList",
          "RunAgentThread",
          "SetTag",
          "SetThreadLocalStorage",
          "SetVerboseFlag",
          "StopThread",
          "SuspendAllVirtualThreads",
          "SuspendThread",
          "SuspendThreadList");

  private final Layers layers = new Layers();

  /** The functions that are promised so far, as the specification spells them. */
  public static Set<String> promised() {
    return PROMISED;
  }

  /** The functions of the safe layer, which has more: what other parts of the agent need. */
  public static Set<String> inTheSafeLayer() {
    return new Layers().rust();
  }

  @Test
  void everyPromisedFunctionIsThereInEveryLayer() {
    assertThat(names()).containsAll(PROMISED);
    assertThat(layers.rust()).as("methods of Env, by doc(alias)").containsAll(PROMISED);
    assertThat(layers.natives())
        .as("natives")
        .containsAll(PROMISED.stream().map(Layers::nativeOf).toList());
    assertThat(layers.annotated()).as("public methods, by @JvmtiFunction").containsAll(PROMISED);
    assertThat(layers.tested()).as("functions that a test names").containsAll(PROMISED);
  }

  @Test
  void whatIsPublicIsPromised() {
    assertThat(layers.annotated()).as("functions that public methods name").isSubsetOf(PROMISED);
    long done = names().stream().filter(layers::isDone).count();
    System.out.println("coverage: " + done + " of " + names().size() + " functions");
  }

  @Test
  void everyErrorOfAPromisedFunctionIsProvokedOrExplained() {
    List<String> neither = new ArrayList<>();
    List<String> both = new ArrayList<>();
    for (String function : PROMISED) {
      for (String error : layers.errors(function)) {
        boolean provoked = layers.provokes(function, error);
        boolean explained = layers.explains(function, error);
        if (!provoked && !explained) {
          neither.add(Layers.key(function, error));
        } else if (provoked && explained) {
          both.add(Layers.key(function, error));
        }
      }
    }
    assertThat(neither).as("errors without a row in tests/functions/**/errors").isEmpty();
    assertThat(both).as("errors said to be impossible, and provoked").isEmpty();
  }

  @Test
  void noRowIsAboutWhatTheTableDoesNotHave() {
    Set<String> table =
        names().stream()
            .flatMap(name -> layers.errors(name).stream().map(error -> Layers.key(name, error)))
            .collect(Collectors.toSet());
    assertThat(Layers.errorsInRows()).isSubsetOf(table);
  }

  @Test
  void universalErrorsHaveAStatementAndItsTest() {
    Set<String> errors =
        Spec.rows("errors").stream()
            .map(row -> row.get("name").replace("JVMTI_ERROR_", ""))
            .collect(Collectors.toSet());
    List<String> texts =
        List.of("tests/functions", "java/api/src/test").stream()
            .flatMap(folder -> Sources.under(folder, "Test.java").stream())
            .map(Sources::text)
            .toList();
    for (Universal universal : Universal.errors()) {
      assertThat(errors).contains(universal.error());
      if (!universal.proof().isEmpty()) {
        String[] proof = universal.proof().split("\\.");
        assertThat(texts)
            .as(universal.proof())
            .anyMatch(
                text -> text.contains("class " + proof[0] + " {") && text.contains(proof[1] + "("));
      }
    }
  }

  private List<String> names() {
    return layers.functions().stream().map(row -> row.get("name")).toList();
  }
}
