package io.jvmtools.functions.errors;

import static io.jvmtools.functions.errors.ErrorNames.ILLEGAL_ARGUMENT;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_EVENT_TYPE;
import static io.jvmtools.functions.errors.ErrorNames.INVALID_THREAD;
import static io.jvmtools.functions.errors.ErrorNames.THREAD_NOT_ALIVE;
import static io.jvmtools.functions.errors.Provocation.provoke;
import static io.jvmtools.functions.errors.Provocation.withoutCapability;

import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventTypes;
import java.util.List;
import java.util.stream.Stream;

/** Event management. */
final class EventErrors implements ErrorRows {

  private static final String GENERATE = "GenerateEvents";
  private static final String INTERVAL = "SetHeapSamplingInterval";
  private static final String SET_MODE = "SetEventNotificationMode";

  @Override
  public List<Provocation> provoked() {
    return List.of(
        withoutCapability(
            SET_MODE, jvmti -> jvmti.events().on(EventTypes.MONITOR_CONTENDED_ENTER, event -> {})),
        withoutCapability(
            GENERATE, jvmti -> jvmti.events().generate(EventTypes.COMPILED_METHOD_LOAD)),
        provoke(
            GENERATE,
            ILLEGAL_ARGUMENT,
            "an event that the JVM does not tell again",
            jvmti -> jvmti.events().generate(EventTypes.THREAD_END)),
        withoutCapability(INTERVAL, jvmti -> jvmti.profile().setHeapSamplingInterval(512 * 1024)),
        provoke(
            INTERVAL,
            ILLEGAL_ARGUMENT,
            "less than nothing",
            jvmti -> jvmti.profile().setHeapSamplingInterval(-1)),
        provoke(
            SET_MODE,
            THREAD_NOT_ALIVE,
            "a thread that has not started",
            jvmti ->
                jvmti
                    .events()
                    .on(
                        EventTypes.THREAD_END,
                        EventFilter.ANY.threads(new Thread("unstarted")),
                        event -> {})));
  }

  @Override
  public List<Impossible> impossible() {
    return Stream.of(
            Impossible.impossible(INVALID_THREAD, "A Thread is one.", SET_MODE),
            Impossible.impossible(
                INVALID_EVENT_TYPE,
                "The kinds are those of the specification's table.",
                SET_MODE,
                GENERATE),
            Impossible.impossible(
                ILLEGAL_ARGUMENT,
                "The JVM is asked for some threads only of events of which it can tell that way.",
                SET_MODE),
            Impossible.impossible(
                ILLEGAL_ARGUMENT,
                "The callbacks are one table of a known size.",
                "SetEventCallbacks"),
            Impossible.impossible(
                ILLEGAL_ARGUMENT,
                "The number is one that GetExtensionEvents has just told.",
                "SetExtensionEventCallback"))
        .flatMap(List::stream)
        .toList();
  }
}
