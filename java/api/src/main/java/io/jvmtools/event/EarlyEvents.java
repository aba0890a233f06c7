package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Agent;
import io.jvmtools.internal.JsonWriter;
import io.jvmtools.internal.Lists;
import io.jvmtools.internal.Nanos;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What has happened before the JVM was ready, as far as the agent's option {@code record} has asked
 * for it. {@link Agent#earlyEvents()} reads it. There is room for 16,384 events, and for a megabyte
 * of their texts. Recording ends when the JVM is initialised, before the launcher looks for the
 * main class: what comes then, with its stacks, a class can listen to that the option {@code run}
 * names.
 *
 * @param kinds what was asked for; empty if nothing was
 * @param began when the recording began, which is before the JVM starts
 * @param events what was recorded, in the order in which it happened
 * @param lost for how many events there was no room
 */
public record EarlyEvents(
    Set<EarlyEventKind> kinds, Instant began, List<EarlyEvent> events, long lost) {

  /**
   * Copies set and list, and refuses a {@code null}.
   *
   * @param kinds what was asked for
   * @param began when the recording began
   * @param events what was recorded
   * @param lost for how many events there was no room
   */
  public EarlyEvents {
    Set<EarlyEventKind> asked = EnumSet.noneOf(EarlyEventKind.class);
    asked.addAll(Lists.copyOf(kinds, "kinds"));
    kinds = Collections.unmodifiableSet(asked);
    requireNonNull(began, "began");
    events = Lists.copyOf(events, "events");
  }

  /**
   * Those of one kind.
   *
   * @param kind which
   * @return an unmodifiable list in the order in which they happened
   */
  public List<EarlyEvent> of(EarlyEventKind kind) {
    requireNonNull(kind, "kind");
    return events.stream().filter(event -> event.kind() == kind).toList();
  }

  /**
   * The same as JSON: {@code began}, {@code lost}, {@code kinds}, and {@code events}, each with
   * {@code kind}, {@code phase}, {@code after} in nanoseconds, {@code class}, {@code fileSize},
   * {@code thread}, {@code method}, {@code signature} and {@code address}; what there is none of is
   * null.
   *
   * @return one line
   */
  public String toJson() {
    StringBuilder text = new StringBuilder();
    JsonWriter json = new JsonWriter(text);
    json.begin('{').name("began").value(began.toString()).name("lost").value(lost);
    json.name("kinds").begin('[');
    kinds.forEach(kind -> json.value(named(kind)));
    json.end(']').name("events").begin('[');
    for (EarlyEvent event : events) {
      json.begin('{').name("kind").value(named(event.kind()));
      json.name("phase").value(named(event.phase()));
      json.name("after").value(Nanos.of(event.after()));
      json.name("class").value(event.className().orElse(null));
      json.name("fileSize");
      if (event.fileSize().isPresent()) {
        json.value(event.fileSize().getAsInt());
      } else {
        json.value(null);
      }
      json.name("thread").value(event.threadName().orElse(null));
      json.name("method").value(event.methodName().orElse(null));
      json.name("signature").value(event.methodSignature().orElse(null));
      json.name("address").value(event.address().map(Object::toString).orElse(null));
      json.end('}');
    }
    json.end(']').end('}');
    return text.toString();
  }

  private static String named(Enum<?> one) {
    return one.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Each event on a line of its own: milliseconds since the recording began, phase, what it was.
   *
   * @return a table for people
   */
  @Override
  public String toString() {
    if (kinds.isEmpty()) {
      return "nothing was recorded: start with -agentpath:...=record=class_load, for instance\n";
    }
    StringBuilder text = new StringBuilder();
    text.append(String.format(Locale.ROOT, "%,d early events since %s", events.size(), began));
    if (lost > 0) {
      text.append(String.format(Locale.ROOT, ", and %,d for which there was no room", lost));
    }
    text.append('\n');
    for (EarlyEvent event : events) {
      double millis = Nanos.of(event.after()) / 1e6;
      text.append(String.format(Locale.ROOT, "%,12.3f ms  %-10s  ", millis, event.phase()));
      text.append(event).append('\n');
    }
    return text.toString();
  }
}
