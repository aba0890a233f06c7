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

/** Makes a snapshot of the frame that has come to the place, on its thread. */
final class SnapshotTaker {

  private final CodePlace place;
  private final SnapshotSettings settings;

  SnapshotTaker(CodePlace place, SnapshotSettings settings) {
    this.place = place;
    this.settings = settings;
  }

  Snapshot take(EventFrame frame) {
    ValueReader reader = new ValueReader(settings);
    StackTrace stack = frame.stackTrace();
    Throwable made = place.isOfCreation() ? frame.local("this", Throwable.class) : null;
    int first = made == null ? 0 : maker(stack, made);
    int end = (int) Math.min(stack.size(), (long) first + settings.frames);
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
        Optional.ofNullable(made).map(reader::throwable),
        frames,
        stack.size() - end);
  }

  /** The innermost frame that is no constructor of the throwable. */
  private static int maker(StackTrace stack, Throwable made) {
    int i = 0;
    while (i < stack.size() - 1 && isConstructorOf(stack.get(i), made)) {
      i++;
    }
    return i;
  }

  private static boolean isConstructorOf(StackFrame frame, Throwable made) {
    Class<?> type = frame.method().declaringClass().orElse(null);
    return frame.method().isConstructor() && type != null && type.isInstance(made);
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
