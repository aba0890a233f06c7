package io.jvmtools.event;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What native code has counted, in its numbers. */
final class Counted {

  static final Counted NOTHING = new Counted(new long[0], new long[0], new String[0]);

  /** Of a frame: its class, its method, its file, and its line. */
  private static final int FRAME = 4;

  private final long[] rows;
  private final long[] frames;
  private final String[] texts;

  Counted(long[] rows, long[] frames, String[] texts) {
    this.rows = rows;
    this.frames = frames;
    this.texts = texts;
  }

  /** How many events that were. */
  long events() {
    long sum = 0;
    for (int at = 0; at < rows.length; at += FRAME + Math.toIntExact(rows[at + 3])) {
      sum += rows[at + 1];
    }
    return sum;
  }

  ProfileSnapshot snapshot(ProfileUnit unit) {
    StackTraceElement[] elements = new StackTraceElement[frames.length / FRAME];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = element(i * FRAME);
    }
    Map<List<Object>, ProfileEntry> entries = new LinkedHashMap<>();
    int at = 0;
    while (at < rows.length) {
      List<StackTraceElement> stack = new ArrayList<>();
      int end = at + FRAME + Math.toIntExact(rows[at + 3]);
      boolean isCut = end > at + FRAME && rows[end - 1] < 0;
      for (int i = at + FRAME; i < (isCut ? end - 1 : end); i++) {
        stack.add(elements[Math.toIntExact(rows[i])]);
      }
      Optional<String> name = Optional.ofNullable(text(rows[at]));
      ProfileEntry entry =
          new ProfileEntry(name, List.copyOf(stack), isCut, rows[at + 1], rows[at + 2]);
      // Several bytecodes may be of one line.
      entries.merge(List.of(name, entry.stack(), isCut), entry, Counted::sum);
      at = end;
    }
    List<ProfileEntry> sorted = new ArrayList<>(entries.values());
    sorted.sort(
        Comparator.comparingLong(ProfileEntry::amount)
            .thenComparingLong(ProfileEntry::count)
            .reversed());
    return new ProfileSnapshot(unit, sorted);
  }

  private static ProfileEntry sum(ProfileEntry one, ProfileEntry other) {
    return new ProfileEntry(
        one.className(),
        one.stack(),
        one.isCut(),
        one.count() + other.count(),
        one.amount() + other.amount());
  }

  private StackTraceElement element(int at) {
    return new StackTraceElement(
        texts[Math.toIntExact(frames[at])],
        texts[Math.toIntExact(frames[at + 1])],
        text(frames[at + 2]),
        Math.toIntExact(frames[at + 3]));
  }

  private @Nullable String text(long number) {
    return number < 0 ? null : texts[Math.toIntExact(number)];
  }
}
