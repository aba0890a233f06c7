package io.jvmtools.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import io.jvmtools.JvmtiFunction;
import io.jvmtools.support.ProductClasses;
import io.jvmtools.support.Sources;
import io.jvmtools.support.Spec;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A function of the specification is there in every layer, or in none. */
class CoverageTest {

  /** Natives that are not called like their function. */
  private static final Map<String, String> NATIVES = Map.of("DisposeEnvironment", "close");

  private static final Pattern ALIAS = Pattern.compile("doc\\(alias = \"(\\w+)\"\\)");

  /** What is promised so far; it only grows. */
  private static final Set<String> PROMISED =
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

  private final Set<String> functions =
      Spec.rows("functions").stream()
          .map(row -> row.get("name"))
          .collect(Collectors.toCollection(TreeSet::new));

  @Test
  void everyPromisedFunctionIsThereInEveryLayer() {
    assertThat(functions).containsAll(PROMISED);
    assertThat(rust()).as("methods of Env, by doc(alias)").containsAll(PROMISED);
    assertThat(natives()).as("natives").containsAll(PROMISED.stream().map(this::nativeOf).toList());
    assertThat(annotated()).as("public methods, by @JvmtiFunction").containsAll(PROMISED);
    assertThat(tested()).as("functions that a test names").containsAll(PROMISED);
  }

  @Test
  void whatIsPublicIsPromised() {
    assertThat(annotated()).as("functions that public methods name").isSubsetOf(PROMISED);
    System.out.println(
        "coverage: " + annotated().size() + " of " + functions.size() + " functions");
  }

  private Set<String> rust() {
    return Sources.under("native/jvmti/src", ".rs").stream()
        .filter(file -> !file.toString().contains("/sys/"))
        .flatMap(file -> ALIAS.matcher(Sources.text(file)).results())
        .map(result -> result.group(1))
        .collect(Collectors.toSet());
  }

  private static Set<String> natives() {
    return ProductClasses.of("io.jvmtools.internal").stream()
        .filter(type -> type.getSimpleName().endsWith("Natives"))
        .flatMap(type -> List.of(type.getDeclaredMethods()).stream())
        .filter(method -> Modifier.isNative(method.getModifiers()))
        .map(Method::getName)
        .collect(Collectors.toSet());
  }

  private String nativeOf(String function) {
    return NATIVES.getOrDefault(
        function, Character.toLowerCase(function.charAt(0)) + function.substring(1));
  }

  private static Set<String> annotated() {
    return ProductClasses.of("io.jvmtools").stream()
        .filter(type -> Modifier.isPublic(type.getModifiers()))
        .flatMap(type -> ProductClasses.publicMethods(type).stream())
        .filter(method -> method.isAnnotationPresent(JvmtiFunction.class))
        .flatMap(method -> List.of(method.getAnnotation(JvmtiFunction.class).value()).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** A test names a function as the specification spells it, or as the static door does. */
  private Set<String> tested() {
    Set<String> tested = new TreeSet<>();
    Pattern word = Pattern.compile("[A-Za-z]\\w*");
    for (String folder : List.of("tests/functions", "tests/lifecycle")) {
      for (Path file : Sources.under(folder, ".java")) {
        Matcher words = word.matcher(Sources.text(file));
        while (words.find()) {
          String name = words.group().replaceAll("Nanos$", "");
          tested.add(Character.toUpperCase(name.charAt(0)) + name.substring(1));
        }
      }
    }
    tested.retainAll(functions);
    return tested;
  }
}
