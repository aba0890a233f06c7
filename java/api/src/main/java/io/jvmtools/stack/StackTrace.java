package io.jvmtools.stack;

import static java.util.Objects.checkIndex;

import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.stack.PackedFrames;
import java.lang.ref.WeakReference;
import java.util.AbstractList;
import java.util.Optional;
import java.util.RandomAccess;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The frames of a thread at one moment, the innermost first: an unmodifiable list that prints like
 * the trace of an exception.
 *
 * <pre>{@code
 * StackTrace trace = JvmTools.getStackTrace(worker);
 * for (StackFrame frame : trace) {
 *   System.out.println(frame.method() + " line " + frame.line());
 * }
 * System.out.println(trace); // or all of it at once
 * }</pre>
 *
 * <p>A trace is compact: two words a frame. The frame objects are made when they are asked for.
 */
public final class StackTrace extends AbstractList<StackFrame> implements RandomAccess {

  private static final String INDENT = "    at ";

  private static final Maker<long[], JvmMethod[]> METHODS = Makers.of(JvmMethod.class);

  static {
    Makers.register(
        StackTrace.class,
        new Maker<PackedFrames, StackTrace>() {
          @Override
          public StackTrace make(PackedFrames frames) {
            return of(frames, 0, frames.count(), null, 0);
          }
        });
  }

  private final JvmMethod[] methods;
  private final long[] locations;
  private final @Nullable WeakReference<Thread> thread;
  private final int start;

  /** A stack of no thread, or of one from a depth on. */
  StackTrace(JvmMethod[] methods, long[] locations, @Nullable Thread thread, int start) {
    this.methods = methods;
    this.locations = locations;
    this.thread = thread == null ? null : new WeakReference<>(thread);
    this.start = start;
  }

  /** Names the frames from one on, as long as their classes are there to be named. */
  static StackTrace of(PackedFrames frames, int from, int max, @Nullable Thread thread, int start) {
    int size = Math.max(0, Math.min(frames.count() - from, max));
    long[] ids = new long[size];
    long[] locations = new long[size];
    for (int i = 0; i < size; i++) {
      ids[i] = frames.methodId(from + i);
      locations[i] = frames.location(from + i);
    }
    return new StackTrace(METHODS.make(ids), locations, thread, start);
  }

  /** Names one frame. */
  static StackFrame frame(long methodId, long location, Thread thread, int depth) {
    JvmMethod method = METHODS.make(new long[] {methodId})[0];
    return new StackFrame(method, location, depth, new WeakReference<>(thread));
  }

  /**
   * The number of frames.
   *
   * @return their number, 0 for a thread that runs no Java method
   */
  @Override
  public int size() {
    return methods.length;
  }

  /**
   * A frame.
   *
   * @param depth 0 for the innermost that is in the trace
   * @return the frame
   * @throws IndexOutOfBoundsException if there is no frame at that depth
   */
  @Override
  public StackFrame get(int depth) {
    checkIndex(depth, methods.length);
    return new StackFrame(methods[depth], locations[depth], start + depth, thread);
  }

  /**
   * The innermost frame: where the thread is.
   *
   * @return the frame, empty for a thread that runs no Java method
   */
  public Optional<StackFrame> top() {
    return isEmpty() ? Optional.empty() : Optional.of(get(0));
  }

  /**
   * The frames in the terms of {@code java.lang}.
   *
   * @return a new array, as {@link Throwable#setStackTrace} wants it
   */
  public StackTraceElement[] toStackTraceElements() {
    return stream().map(StackFrame::toStackTraceElement).toArray(StackTraceElement[]::new);
  }

  /**
   * The frames, one on a line, as in the trace of an exception.
   *
   * @return the lines, each beginning with {@code "at"}, without a line end after the last
   */
  @Override
  public String toString() {
    return stream()
        .map(StackFrame::toString)
        .collect(Collectors.joining(System.lineSeparator() + INDENT, isEmpty() ? "" : INDENT, ""));
  }
}
