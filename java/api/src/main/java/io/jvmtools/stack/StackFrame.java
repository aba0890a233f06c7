package io.jvmtools.stack;

import io.jvmtools.Jvmti;
import io.jvmtools.LocationFormat;
import io.jvmtools.code.JvmMethod;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * One frame of a stack: a method, and how far it has come.
 *
 * <p>A value: it keeps no class alive and answers whether or not the thread still runs. Two frames
 * are equal if they are at the same location of the same method, of whatever thread and at whatever
 * depth. {@link Locals} finds the frame again by its thread and its depth, as long as it is there.
 */
public final class StackFrame {

  private final JvmMethod method;
  private final long location;
  private final int depth;
  private final @Nullable WeakReference<Thread> thread;

  /** A frame of no thread, or of one that is known weakly. */
  StackFrame(JvmMethod method, long location, int depth, @Nullable WeakReference<Thread> thread) {
    this.method = method;
    this.location = location;
    this.depth = depth;
    this.thread = thread;
  }

  /**
   * The thread that had this frame when it was read.
   *
   * @return the thread; empty for a frame of a thread dump, and once the thread has been collected,
   *     which this value does not hinder
   */
  public Optional<Thread> thread() {
    return Optional.ofNullable(thread == null ? null : thread.get());
  }

  /**
   * How deep the frame was when it was read.
   *
   * @return 0 for the innermost frame
   */
  public int depth() {
    return depth;
  }

  /** Whether it was read as that of a thread. */
  boolean isOfAThread() {
    return thread != null;
  }

  /**
   * The method that runs in this frame.
   *
   * @return the method
   */
  public JvmMethod method() {
    return method;
  }

  /**
   * Where in the method the frame is: the instruction that runs, or the call that has not returned.
   *
   * @return a bytecode index where {@link Jvmti#locationFormat()} is {@link LocationFormat#JVMBCI},
   *     as on every HotSpot; −1 in a native method
   */
  public long location() {
    return location;
  }

  /**
   * The source line of the frame.
   *
   * @return the line; empty in a native method, and where the class was compiled without lines
   */
  public OptionalInt line() {
    return method.lineNumber(location);
  }

  /**
   * The source file of the frame.
   *
   * @return its simple name, for example {@code "Cart.java"}; empty if the class does not say
   */
  public Optional<String> sourceFile() {
    return method.sourceFile();
  }

  /**
   * The module of the class that declares the method.
   *
   * @return its name, empty for an unnamed module
   */
  public Optional<String> module() {
    return method.module();
  }

  /**
   * The name of the class that declares the method.
   *
   * @return the name, as {@link JvmMethod#className()} has it
   */
  public String className() {
    return method.className();
  }

  /**
   * The name of the method.
   *
   * @return the name, as {@link JvmMethod#name()} has it
   */
  public String methodName() {
    return method.name();
  }

  /**
   * Whether the frame runs native code.
   *
   * @return whether its method is native
   */
  public boolean isNative() {
    return method.isNative();
  }

  /**
   * The frame in the terms of {@code java.lang}.
   *
   * @return an element that prints like the one of an exception's trace
   */
  public StackTraceElement toStackTraceElement() {
    return method.toStackTraceElement(location);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StackFrame that
        && location == that.location
        && method.equals(that.method);
  }

  @Override
  public int hashCode() {
    return method.hashCode() * 31 + Long.hashCode(location);
  }

  /**
   * The frame as a line of a stack trace.
   *
   * @return for example {@code "com.acme.Cart.total(Cart.java:42)"}
   */
  @Override
  public String toString() {
    return toStackTraceElement().toString();
  }
}
