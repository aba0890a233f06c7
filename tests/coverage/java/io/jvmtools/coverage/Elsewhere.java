package io.jvmtools.coverage;

import java.util.List;
import java.util.Optional;

/**
 * A function that means something else in Java than in C, so that no native and no method is called
 * after it, and how it is there all the same.
 *
 * @param function its name
 * @param how what the coverage page says in place of a method
 * @param proof the test that shows it: class and method
 */
record Elsewhere(String function, String how, String proof) {

  private static final List<Elsewhere> ALL =
      List.of(
          new Elsewhere(
              "SetSystemProperty",
              "exposed as the agent's option `property`",
              "AgentOptionsTest.aPropertyIsSetBeforeTheJvmReadsIt"),
          new Elsewhere(
              "SetEventCallbacks",
              "exposed as `Events.on`",
              "EventsTest.whoWantsAMonitorThatAnotherHasIsToldOnItsOwnThread"),
          new Elsewhere(
              "SetExtensionEventCallback",
              "exposed as `Events.on`",
              "ExtensionEventsTest.everyClassThatIsUnloadedIsToldByItsName"),
          new Elsewhere(
              "SetEventNotificationMode",
              "exposed as `Events.on` and `Subscription.close`",
              "EventsTest.afterClosingNobodyIsTold"),
          new Elsewhere(
              "GenerateEvents",
              "exposed as `Events.generate`",
              "RecordedEventsTest.whatIsCompiledIsToldAgain"),
          new Elsewhere(
              "Deallocate",
              "used inside: when the buffer of `Memory.allocate` cannot be reached any more",
              "MemoryTest.whatCannotBeReachedGoesBack"));

  static List<Elsewhere> all() {
    return ALL;
  }

  static Optional<Elsewhere> of(String function) {
    return ALL.stream().filter(one -> one.function.equals(function)).findFirst();
  }
}
