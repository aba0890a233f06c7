package io.jvmtools.snapshot;

import io.jvmtools.JvmtiException;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFrame;
import io.jvmtools.stack.LocalVariable;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes a snapshot of the frame that has come to the place, on its thread. */
final class SnapshotTaker {

  /** Constructors of a throwable are rarely more. */
  private static final int CONSTRUCTORS = 8;

  private final CodePlace place;
  private final SnapshotSettings settings;

  SnapshotTaker(CodePlace place, SnapshotSettings settings) {
    this.place = place;
    this.settings = settings;
  }

  CodePlace place() {
    return place;
  }

  Snapshot take(EventFrame frame) {
    ValueReader reader = new ValueReader(settings);
    Throwable made = place.isOfCreation() ? (Throwable) frame.receiver(0).orElse(null) : null;
    int count = frame.count();
    StackTrace stack =
        frame.stackTrace((int) Math.min(count, (long) settings.frames + CONSTRUCTORS));
    int first = maker(frame, made, stack);
    int end = (int) Math.min(count, (long) first + settings.frames);
    if (end > stack.size() || (first == stack.size() - 1 && stack.size() < count)) {
      stack = frame.stackTrace();
      first = maker(frame, made, stack);
      end = (int) Math.min(count, (long) first + settings.frames);
    }
    List<SnapshotFrame> frames = new ArrayList<>();
    for (int i = first; i < end; i++) {
      StackFrame one = stack.get(i);
      boolean isKept = i == first || isOfPackages(one.className());
      frames.add(
          new SnapshotFrame(
              one.toStackTraceElement(), isKept ? variables(frame, i, reader) : List.of()));
    }
    return new Snapshot(
        place,
        Instant.now(),
        frame.thread().getName(),
        ValueReader.threadId(frame.thread()),
        made == null ? Optional.empty() : Optional.of(reader.throwable(made)),
        frames,
        count - end);
  }

  /** The innermost frame that is no constructor of the throwable itself, if there is one. */
  private static int maker(EventFrame frame, @Nullable Throwable made, StackTrace stack) {
    int last = made == null ? 0 : stack.size() - 1;
    int below = Math.min(1, last);
    while (below < last
        && stack.get(below).method().isConstructor()
        && frame.receiver(below).orElse(null) == made) {
      below++;
    }
    return below;
  }

  private boolean isOfPackages(String className) {
    for (String one : settings.packages) {
      if (className.length() > one.length()
          && className.startsWith(one)
          && className.charAt(one.length()) == '.') {
        return true;
      }
    }
    return false;
  }

  private static List<SnapshotVariable> variables(EventFrame frame, int below, ValueReader reader) {
    List<SnapshotVariable> variables = new ArrayList<>();
    for (LocalVariable one : locals(frame, below)) {
      variables.add(new SnapshotVariable(one.name(), value(one, reader)));
    }
    return variables;
  }

  private static SnapshotValue value(LocalVariable one, ValueReader reader) {
    if (one.unread().isPresent()) {
      return new SnapshotValue(ValueReader.typeName(one.signature()), one.unread().get().name());
    }
    return reader.read(one.signature(), one.value());
  }

  /** A frame that cannot be read hides no other. */
  private static List<LocalVariable> locals(EventFrame frame, int below) {
    try {
      return frame.locals(below);
    } catch (JvmtiException unreadable) {
      return List.of();
    }
  }
}
