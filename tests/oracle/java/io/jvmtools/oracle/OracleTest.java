package io.jvmtools.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jvmtools.coverage.CoverageTest;
import io.jvmtools.oracle.asked.Call;
import io.jvmtools.support.ChildJvm;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The library says what the VM says, and what Java says. */
class OracleTest {

  private static final int FEWEST_SCENARIOS = 3;

  private static Map<String, String> vm;
  private static Map<String, String> ours;
  private static Map<String, String> java;

  @BeforeAll
  static void play() {
    Sides.areComplete();
    // Its agent asks of which kind each reference is; where one is wrong, -Xcheck:jni would end the
    // JVM.
    vm = observations(child("vm").withoutJniChecks());
    ours = observations(child("ours").agent(""));
    java = observations(child("java"));
    System.out.println(
        "oracle: " + vm.size() + " scenarios, " + java.size() + " that Java has an answer to");
  }

  @Test
  void everyFunctionSoFarHasItsScenarios() {
    Map<String, Long> counts =
        vm.keySet().stream()
            .collect(Collectors.groupingBy(OracleTest::functionOf, Collectors.counting()));
    TreeSet<String> few = new TreeSet<>(CoverageTest.promised());
    few.removeIf(function -> counts.getOrDefault(function, 0L) >= FEWEST_SCENARIOS);
    few.retainAll(Call.here());
    assertThat(few)
        .as(
            "functions with fewer than %d scenarios: they belong in tests/oracle, in the Scenes of"
                + " the stem or of what they set up, which Oracle plays",
            FEWEST_SCENARIOS)
        .isEmpty();
  }

  /** Else nothing of it was compared: its scene has its capability in {@code open}. */
  @Test
  void everyFunctionIsAnsweredSomewhere() {
    TreeSet<String> answered = new TreeSet<>();
    vm.forEach(
        (key, answer) -> {
          if (!answer.contains("MUST_POSSESS_CAPABILITY")) {
            answered.add(functionOf(key));
          }
        });
    TreeSet<String> refused = new TreeSet<>(CoverageTest.promised());
    refused.retainAll(Call.here());
    refused.removeAll(answered);
    assertThat(refused)
        .as(
            "functions that lack their capability in each scenario: the Scenes that play them open"
                + " their environment with it")
        .isEmpty();
  }

  @Test
  void bothPlayTheSameScenarios() {
    assertThat(ours.keySet()).containsExactlyInAnyOrderElementsOf(vm.keySet());
    assertThat(vm.keySet()).containsAll(java.keySet());
  }

  @TestFactory
  Stream<DynamicTest> theLibrarySaysWhatTheVmSays() {
    Map<String, String> expected = new TreeMap<>(vm);
    expected.replaceAll(Deviation::expected);
    return comparisons(expected, ours);
  }

  @TestFactory
  Stream<DynamicTest> theVmSaysWhatJavaSays() {
    Map<String, String> said = new TreeMap<>(vm);
    said.keySet().retainAll(java.keySet());
    said.values().removeIf(AsJavaSaysIt::isBeyondJava);
    said.replaceAll(AsJavaSaysIt::translate);
    Map<String, String> expected = new TreeMap<>(java);
    expected.keySet().retainAll(said.keySet());
    return comparisons(expected, said);
  }

  @Test
  void everyDeviationIsOne() {
    assertThat(Deviation.unused(vm))
        .as("deviations of which the VM's answers know nothing")
        .isEmpty();
  }

  /** One test for each function, which lists the scenarios that differ. */
  private static Stream<DynamicTest> comparisons(
      Map<String, String> expected, Map<String, String> said) {
    return expected.keySet().stream()
        .map(OracleTest::functionOf)
        .distinct()
        .map(
            function ->
                dynamicTest(
                    function,
                    () ->
                        assertThat(
                                expected.keySet().stream()
                                    .filter(key -> functionOf(key).equals(function))
                                    .filter(key -> !expected.get(key).equals(said.get(key)))
                                    .map(key -> difference(key, expected.get(key), said.get(key))))
                            .isEmpty()));
  }

  private static String difference(String key, String expected, String said) {
    return key + "\n  expected: " + expected + "\n  but was:  " + said + "\n";
  }

  /** One carrier, so that it is known which thread carries the one that runs. */
  private static ChildJvm child(String observer) {
    return ChildJvm.of(Oracle.class)
        .agent(Path.of(System.getProperty("jvmtools.test.oracle")), "")
        .jvmArgs("-ea", "-Djdk.virtualThreadScheduler.parallelism=1")
        .args(observer);
  }

  private static Map<String, String> observations(ChildJvm child) {
    Map<String, String> observations = new TreeMap<>();
    for (String line : child.run().succeeds().outLines()) {
      int tab = line.indexOf('\t');
      if (tab > 0 && line.substring(0, tab).matches("\\w+\\.[\\w-]+")) {
        observations.put(line.substring(0, tab), line.substring(tab + 1));
      }
    }
    observations.keySet().removeIf(key -> !CoverageTest.promised().contains(functionOf(key)));
    return observations;
  }

  private static String functionOf(String key) {
    return key.substring(0, key.indexOf('.'));
  }
}
