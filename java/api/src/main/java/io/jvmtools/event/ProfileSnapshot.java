package io.jvmtools.event;

import io.jvmtools.internal.JsonWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What a profile has counted by a moment. A value, which keeps no class alive. */
public final class ProfileSnapshot {

  private static final int SHOWN = 20;

  private final ProfileUnit unit;
  private final List<ProfileEntry> entries;

  ProfileSnapshot(ProfileUnit unit, List<ProfileEntry> entries) {
    this.unit = unit;
    this.entries = List.copyOf(entries);
  }

  /**
   * What the amounts are.
   *
   * @return the unit
   */
  public ProfileUnit unit() {
    return unit;
  }

  /**
   * What was counted at each place.
   *
   * @return an unmodifiable list, that of the greatest amount first, and of those that are equal
   *     the one that happened most often
   */
  public List<ProfileEntry> entries() {
    return entries;
  }

  /**
   * How often it happened anywhere.
   *
   * @return the sum of all counts
   */
  public long count() {
    return entries.stream().mapToLong(ProfileEntry::count).sum();
  }

  /**
   * How much it was anywhere.
   *
   * @return the sum of all amounts
   */
  public long amount() {
    return entries.stream().mapToLong(ProfileEntry::amount).sum();
  }

  /**
   * Stacks as tools for flame graphs read them: in each line the frames of one, outermost first,
   * after {@code ...} if there are more below than were asked for, then the class in brackets if
   * there is one, then a blank and how much that was, or how often where there are no amounts.
   *
   * @return the lines in the order of the alphabet, each ended; frames of equal names are one
   */
  public String toCollapsed() {
    Map<String, Long> lines = new TreeMap<>();
    for (ProfileEntry entry : entries) {
      lines.merge(line(entry), weight(entry), Long::sum);
    }
    StringBuilder text = new StringBuilder();
    lines.forEach((stack, weight) -> text.append(stack).append(' ').append(weight).append('\n'));
    return text.toString();
  }

  private long weight(ProfileEntry entry) {
    return unit == ProfileUnit.NOTHING ? entry.count() : entry.amount();
  }

  private static String line(ProfileEntry entry) {
    Deque<String> frames = new ArrayDeque<>();
    entry.className().ifPresent(name -> frames.add("[" + plain(name) + "]"));
    entry.stack().forEach(frame -> frames.addFirst(plain(named(frame))));
    if (entry.isCut()) {
      frames.addFirst("...");
    }
    return String.join(";", frames);
  }

  private static String named(StackTraceElement frame) {
    return frame.getClassName() + "." + frame.getMethodName();
  }

  /** Names may have in them what separates frames, and lines. */
  private static String plain(String name) {
    return name.replaceAll("[;\\s\\p{Cntrl}]", "_");
  }

  /**
   * The same as JSON: {@code unit}, {@code count}, {@code amount}, and {@code entries}, each with
   * {@code class}, {@code count}, {@code amount}, {@code stack}, of which each frame has {@code
   * class}, {@code method}, {@code file} and {@code line}, and {@code cut}; what is not known is
   * null.
   *
   * @return one line
   */
  public String toJson() {
    StringBuilder text = new StringBuilder();
    JsonWriter json = new JsonWriter(text);
    json.begin('{').name("unit").value(unit.name().toLowerCase(Locale.ROOT));
    json.name("count").value(count()).name("amount").value(amount());
    json.name("entries").begin('[');
    for (ProfileEntry entry : entries) {
      json.begin('{').name("class").value(entry.className().orElse(null));
      json.name("count").value(entry.count()).name("amount").value(entry.amount());
      json.name("stack").begin('[');
      for (StackTraceElement frame : entry.stack()) {
        json.begin('{').name("class").value(frame.getClassName());
        json.name("method").value(frame.getMethodName());
        json.name("file").value(frame.getFileName());
        json.name("line");
        if (frame.getLineNumber() < 0) {
          json.value(null);
        } else {
          json.value(frame.getLineNumber());
        }
        json.end('}');
      }
      json.end(']').name("cut").value(entry.isCut()).end('}');
    }
    json.end(']').end('}');
    return text.toString();
  }

  /**
   * The first twenty places, with the innermost frame of each.
   *
   * @return a table for people
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append(String.format(Locale.ROOT, "%,12d times", count()));
    if (unit != ProfileUnit.NOTHING) {
      text.append(
          String.format(Locale.ROOT, ", %,d %s", amount(), unit.name().toLowerCase(Locale.ROOT)));
    }
    text.append(", at ")
        .append(entries.size())
        .append(entries.size() == 1 ? " place\n" : " places\n");
    entries.stream().limit(SHOWN).forEach(entry -> text.append(shown(entry)));
    if (entries.size() > SHOWN) {
      text.append(String.format(Locale.ROOT, "%12s and %,d more%n", "", entries.size() - SHOWN));
    }
    return text.toString();
  }

  private String shown(ProfileEntry entry) {
    String at = entry.stack().isEmpty() ? "" : " at " + entry.stack().get(0);
    return String.format(
        Locale.ROOT, "%,12d %s%s%n", weight(entry), entry.className().orElse(""), at);
  }
}
