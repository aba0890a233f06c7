package io.jvmtools.oracle.events;

import io.jvmtools.support.Installation;
import io.jvmtools.support.Spec;
import java.util.List;
import java.util.Map;

/**
 * An event of the specification.
 *
 * @param name its name
 * @param number its number
 * @param byThread whether the JVM can tell of one thread only
 * @param requires the capability that it needs; empty if none
 * @param since the JDK
 */
public record KindOfEvent(String name, int number, boolean byThread, String requires, int since) {

  /** Those that this JDK has. */
  static List<KindOfEvent> all() {
    return Spec.rows("events").stream()
        .map(KindOfEvent::of)
        .filter(event -> event.since() <= Installation.feature())
        .toList();
  }

  private static KindOfEvent of(Map<String, String> row) {
    return new KindOfEvent(
        row.get("name"),
        Integer.parseInt(row.get("number")),
        row.get("filtered_by_thread").equals("yes"),
        row.get("requires"),
        Integer.parseInt(row.get("since")));
  }

  /** The number of that capability; negative if it needs none. */
  int capability() {
    return Spec.rows("capabilities").stream()
        .filter(row -> row.get("name").equals(requires))
        .mapToInt(row -> Integer.parseInt(row.get("bit")))
        .findFirst()
        .orElse(-1);
  }

  /** Whether it happens to virtual threads alone. */
  boolean isOfVirtualThreads() {
    return name.startsWith("VirtualThread");
  }

  /** Whether it has a class of which filters can tell. */
  public boolean hasClass() {
    return !name.contains("Thread") && !name.equals("ResourceExhausted");
  }
}
