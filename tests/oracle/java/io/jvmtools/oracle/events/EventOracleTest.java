package io.jvmtools.oracle.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.jvmtools.support.ChildJvm;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Listeners are told what the VM tells an agent in C++, for each kind of event. */
class EventOracleTest {

  private static final String LINE = "EVENT ";

  private static Map<String, String> vm;
  private static Map<String, String> ours;

  @BeforeAll
  static void play() {
    vm = told(child("vm").withoutJniChecks());
    ours = told(child("ours").agent(""));
  }

  @Test
  void everyKindIsPlayed() {
    assertThat(ours.keySet()).isEqualTo(vm.keySet());
    assertThat(KindOfEvent.all())
        .extracting(KindOfEvent::name)
        .filteredOn(name -> !EventsPlayed.isElsewhere(name))
        .as("events without a constant in EventTypes")
        .allMatch(ours::containsKey);
    assertThat(vm)
        .as("the callback in tests/oracle/cpp/events.cpp, or what EventScenes makes happen")
        .doesNotContainValue("[]");
  }

  @TestFactory
  Stream<DynamicTest> listenersAreToldWhatTheVmTells() {
    return vm.keySet().stream()
        .map(
            event ->
                dynamicTest(event, () -> assertThat(ours.get(event)).isEqualTo(vm.get(event))));
  }

  private static ChildJvm child(String side) {
    return child(EventsPlayed.class).args(side);
  }

  /** With the oracle's agent. */
  static ChildJvm child(Class<?> program) {
    return ChildJvm.of(program)
        .agent(Path.of(System.getProperty("jvmtools.test.oracle")), "")
        .jvmArgs("-ea");
  }

  /** What a program prints of each kind. */
  static Map<String, String> told(ChildJvm child) {
    Map<String, String> told = new TreeMap<>();
    for (String line : child.run().succeeds().outLines()) {
      if (line.startsWith(LINE)) {
        String[] parts = line.substring(LINE.length()).split(" ", 2);
        told.put(parts[0], parts[1]);
      }
    }
    return told;
  }
}
