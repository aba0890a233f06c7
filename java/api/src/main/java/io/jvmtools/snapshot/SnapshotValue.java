package io.jvmtools.snapshot;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.JsonWriter;
import io.jvmtools.internal.Lists;
import java.util.List;

/**
 * What a variable or a part of an object held: texts, and nothing of the program itself.
 *
 * @param type the name of the class of the object, or the type of a variable that holds none
 * @param text a number, {@code true}, {@code null}, a quoted text or character, the name of an enum
 *     constant; for an object its class, with its hash code if no parts are known, for an array and
 *     a collection how large it is
 * @param parts the fields of an object, or the elements of an array or a collection, those of maps
 *     called like their keys; none where that is too far in, or too many
 * @param omitted how many parts, or characters of a text, there are beside
 */
public record SnapshotValue(String type, String text, List<SnapshotVariable> parts, long omitted) {

  /**
   * Copies the list, and refuses what is {@code null}.
   *
   * @param type its type
   * @param text its text
   * @param parts its parts
   * @param omitted how many there are beside
   */
  public SnapshotValue {
    requireNonNull(type, "type");
    requireNonNull(text, "text");
    parts = Lists.copyOf(parts, "parts");
  }

  /** Without parts. */
  SnapshotValue(String type, String text) {
    this(type, text, List.of(), 0);
  }

  void write(JsonWriter json) {
    json.begin('{').name("type").value(type).name("text").value(text);
    json.name("parts").begin('[');
    for (SnapshotVariable part : parts) {
      json.begin('{').name("name").value(part.name()).name("value");
      part.value().write(json);
      json.end('}');
    }
    json.end(']').name("omitted").value(omitted).end('}');
  }

  /**
   * The value as a text.
   *
   * @return for example {@code "Item[sku = 17]"}
   */
  @Override
  public String toString() {
    StringBuilder all = new StringBuilder(text);
    if (!parts.isEmpty()) {
      String between = "[";
      for (SnapshotVariable part : parts) {
        all.append(between).append(part.name().isEmpty() ? part.value() : part);
        between = ", ";
      }
      if (omitted > 0) {
        all.append(", ... ").append(omitted).append(" more");
      }
      all.append(']');
    } else if (omitted > 0 && text.endsWith("\"")) {
      all.append("... ").append(omitted).append(" more");
    }
    return all.toString();
  }
}
