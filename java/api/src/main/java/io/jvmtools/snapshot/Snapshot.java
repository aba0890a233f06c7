package io.jvmtools.snapshot;

import static java.util.Objects.requireNonNull;

import io.jvmtools.event.CodePlace;
import io.jvmtools.internal.JsonWriter;
import io.jvmtools.internal.Lists;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a thread had on its stack when it came to a place. A value: texts and numbers, which keep
 * nothing of the program alive.
 *
 * @param place where snapshots were asked for
 * @param time when it was taken
 * @param thread the name of the thread, which is empty for most virtual ones
 * @param threadId the number that Java has for it
 * @param exception the throwable that was made there, if that was asked for: its class and its
 *     message
 * @param frames the stack, innermost frame first; where a throwable is made that of who makes it
 * @param omitted how many frames there are beside
 */
public record Snapshot(
    CodePlace place,
    Instant time,
    String thread,
    long threadId,
    Optional<SnapshotValue> exception,
    List<SnapshotFrame> frames,
    int omitted) {

  /**
   * Copies the list, and refuses what is {@code null}.
   *
   * @param place where it was asked for
   * @param time when it was taken
   * @param thread the name of the thread
   * @param threadId the number of the thread
   * @param exception the throwable
   * @param frames the stack
   * @param omitted how many frames there are beside
   */
  public Snapshot {
    requireNonNull(place, "place");
    requireNonNull(time, "time");
    requireNonNull(thread, "thread");
    requireNonNull(exception, "exception");
    frames = Lists.copyOf(frames, "frames");
  }

  /**
   * The snapshot as JSON: {@code place}, {@code time}, {@code thread}, {@code threadId}, {@code
   * exception}, {@code frames}, each with {@code class}, {@code method}, {@code file}, {@code line}
   * and {@code variables}, and {@code omitted}; a value has {@code type}, {@code text}, {@code
   * parts} and {@code omitted}. What is not known is null.
   *
   * @return one line
   */
  public String toJson() {
    StringBuilder text = new StringBuilder();
    JsonWriter json = new JsonWriter(text);
    json.begin('{').name("place").value(place.toString()).name("time").value(time.toString());
    json.name("thread").value(thread).name("threadId").value(threadId).name("exception");
    if (exception.isPresent()) {
      exception.get().write(json);
    } else {
      json.value(null);
    }
    json.name("frames").begin('[');
    for (SnapshotFrame frame : frames) {
      write(json, frame);
    }
    json.end(']').name("omitted").value(omitted).end('}');
    return text.toString();
  }

  private static void write(JsonWriter json, SnapshotFrame frame) {
    StackTraceElement element = frame.element();
    json.begin('{').name("class").value(element.getClassName());
    json.name("method").value(element.getMethodName()).name("file").value(element.getFileName());
    json.name("line");
    if (element.getLineNumber() < 0) {
      json.value(null);
    } else {
      json.value(element.getLineNumber());
    }
    json.name("variables").begin('[');
    for (SnapshotVariable one : frame.variables()) {
      json.begin('{').name("name").value(one.name()).name("value");
      one.value().write(json);
      json.end('}');
    }
    json.end(']').end('}');
  }

  /**
   * The snapshot for people: the throwable, or the place and the thread, then a line for each
   * frame.
   *
   * @return for example a line {@code java.lang.IllegalStateException: no stock in "main" #1 at
   *     2026-11-26T08:00:00Z}, and a line {@code at com.acme.Cart.reserve(Cart.java:42) item =
   *     Item[sku = 17], total = 130}
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    if (exception.isPresent()) {
      text.append(exception.get().text());
    } else {
      text.append(place);
    }
    text.append(" in \"").append(thread).append("\" #").append(threadId);
    text.append(" at ").append(time).append('\n');
    for (SnapshotFrame frame : frames) {
      text.append("  ").append(frame).append('\n');
    }
    if (omitted > 0) {
      text.append("  ... ").append(omitted).append(" more\n");
    }
    return text.toString();
  }
}
