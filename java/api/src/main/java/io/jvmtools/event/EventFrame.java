package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.FrameUnavailableException;
import io.jvmtools.JvmtiException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.StalledException;
import io.jvmtools.code.DeclaredVariable;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.MethodIds;
import io.jvmtools.internal.environment.CapabilityMasks;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.event.EventNatives;
import io.jvmtools.internal.stack.NewValue;
import io.jvmtools.internal.stack.SlotValues;
import io.jvmtools.stack.Frames;
import io.jvmtools.stack.LocalVariable;
import io.jvmtools.stack.Locals;
import io.jvmtools.stack.StackFrame;
import io.jvmtools.stack.StackTrace;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The frame in which a thread was when the JVM stopped it to tell a listener: its variables and
 * what is below it, seen from within that listener.
 *
 * <pre>{@code
 * jvmti.events().at(CodePlace.line("com.acme.Cart", 42), frame -> log(frame.local("total", int.class)));
 * jvmti.events().at(CodePlace.entry("com.acme.Prices", "of"), frame -> frame.returnEarly(42));
 * }</pre>
 *
 * <p>It is of use on the thread that got it, and until the listener returns: afterwards, and on
 * other threads, everything that asks the JVM is refused with an {@link IllegalStateException}.
 * What was answered stays.
 */
@SuppressWarnings("exports") // Nullness annotations are for compilers that know them.
public final class EventFrame {

  /** More than the library and most listeners have above what they were told of. */
  private static final int NEAR = 16;

  private static final Maker<Environment, Frames> FRAMES = Makers.of(Frames.class);
  private static final Maker<Environment, Locals> LOCALS = Makers.of(Locals.class);
  private static final Maker<JvmMethod, Long> METHOD_IDS = Makers.of(MethodIds.class);

  private static volatile boolean isInitialised;
  private static volatile boolean isRehearsed;

  private final Environment environment;
  private final Thread thread;
  private final Frames frames;
  private final Locals locals;
  private final JvmMethod method;
  private final long location;

  /** How many frames there are from the outermost one to this one; 0 as long as nobody asked. */
  private int height;

  private volatile boolean hasReturned;

  EventFrame(Environment environment, JvmMethod method, long location) {
    this.environment = environment;
    this.thread = Thread.currentThread();
    this.frames = FRAMES.make(environment);
    this.locals = LOCALS.make(environment);
    this.method = method;
    this.location = location;
  }

  /**
   * Does once what listeners do on the first thread that comes by. What it initialised would be of
   * no use for ever if it had no stack left, and if it stood still then, others would wait for it.
   */
  static void rehearse(Environment environment) {
    CapabilityMasks masks = CapabilityMasks.read(environment.handle());
    boolean hasLocals = masks.missing(Capability.CAN_ACCESS_LOCAL_VARIABLES).isEmpty();
    if (!(hasLocals ? isRehearsed : isInitialised)) {
      try {
        lookAround(environment, hasLocals);
      } catch (RuntimeException unreadable) {
        // What there is to initialise was, up to what nobody can read.
      }
      isInitialised = true;
      isRehearsed |= hasLocals;
    }
  }

  /** In the frame of who calls this, which goes no further meanwhile. */
  private static void lookAround(Environment environment, boolean hasLocals) {
    Frames frames = FRAMES.make(environment);
    Thread thread = Thread.currentThread();
    StackTrace near = frames.stackTrace(thread, 0, NEAR);
    int depth = 0;
    while (!near.get(depth).methodName().equals("rehearse")) {
      depth++;
    }
    StackFrame caller = near.get(depth);
    EventFrame frame = new EventFrame(environment, caller.method(), caller.location());
    frame.height = frames.count(thread) - depth;
    StackTraceElement unused = frame.stackTrace(frame.count()).get(0).toStackTraceElement();
    if (hasLocals) {
      frame.locals(1);
      frame.receiver(1);
      for (LocalVariable one : frame.locals()) {
        Object unusedValue = frame.local(one.name(), Object.class);
      }
    }
    frame.hasReturned();
    long unusedBits = NewValue.of("value", "a method", "I", 0).bits();
  }

  /** Of the calling thread, which is in a listener. */
  static EventFrame here(Environment environment) {
    Thread thread = Thread.currentThread();
    Frames frames = FRAMES.make(environment);
    StackTrace near = frames.stackTrace(thread, 0, NEAR);
    StackTrace all = isTold(near) ? near : frames.stackTrace(thread);
    StackFrame frame = all.get(told(all));
    return new EventFrame(environment, frame.method(), frame.location());
  }

  private static boolean isTold(StackTrace stack) {
    return toldBy(stack) + 1 < stack.size();
  }

  /** The depth of the frame below what tells listeners. */
  private static int told(StackTrace stack) {
    if (!isTold(stack)) {
      throw new IllegalStateException("the calling thread is in no listener that was told of code");
    }
    return toldBy(stack) + 1;
  }

  /** The depth of what tells listeners, or that of the whole stack. */
  private static int toldBy(StackTrace stack) {
    int depth = 0;
    while (depth < stack.size()
        && stack.get(depth).method().declaringClass().orElse(null) != Upcalls.class) {
      depth++;
    }
    return depth;
  }

  /**
   * Whose frame it is.
   *
   * @return the thread, on which the listener runs
   */
  public Thread thread() {
    return thread;
  }

  /**
   * The method that runs in it.
   *
   * @return the method
   */
  public JvmMethod method() {
    return method;
  }

  /**
   * Where in the method it is.
   *
   * @return the index of the bytecode that comes next; -1 in a native method
   */
  public long location() {
    return location;
  }

  /**
   * This frame and those that called it.
   *
   * @return the stack, this frame first
   * @throws IllegalStateException if the listener has returned, or this is another thread, or if
   *     the environment is closed
   */
  public StackTrace stackTrace() {
    return frames.stackTrace(thread, depth(frames.count(requireHere())), Integer.MAX_VALUE);
  }

  /**
   * The first frames of the same.
   *
   * @param maxFrames how many at most
   * @return the stack, this frame first
   * @throws IllegalArgumentException if the number is not positive
   * @throws IllegalStateException if the listener has returned, or this is another thread, or if
   *     the environment is closed
   */
  public StackTrace stackTrace(int maxFrames) {
    return frames.stackTrace(thread, depth(frames.count(requireHere())), maxFrames);
  }

  /**
   * How many frames the stack has from this one on.
   *
   * @return the number, this frame counted
   * @throws IllegalStateException if the listener has returned, or this is another thread, or if
   *     the environment is closed
   */
  public int count() {
    requireHere();
    return height;
  }

  /**
   * The receiver of this frame or of one below it, {@code this}. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param below how far below: 0 for this frame, 1 for the one that called it
   * @return the object; empty for a static method, and where the JVM no longer keeps it
   * @throws FrameUnavailableException if there are not so many frames, or for a native method where
   *     the JVM does not tell
   * @throws IllegalArgumentException if the number is negative
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws JvmtiException if the JVM cannot tell for another reason
   * @throws IllegalStateException if the listener has returned, or this is another thread, or if
   *     the environment is closed
   */
  public Optional<Object> receiver(int below) {
    if (below < 0) {
      throw new IllegalArgumentException("below must not be negative: " + below);
    }
    int depth = depth(frames.count(requireHere()));
    return locals.instance(thread, depth + Math.min(below, height));
  }

  /**
   * The variables that are in scope, with what they hold. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @return what {@link Locals#all(StackFrame)} answers
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws JvmtiException if the JVM cannot tell for another reason
   * @throws IllegalStateException if the listener has returned, or this is another thread, or if
   *     the environment is closed
   */
  public List<LocalVariable> locals() {
    return locals.all(thread, depth(frames.count(requireHere())));
  }

  /**
   * The variables of a frame below this one, as {@link #locals()}.
   *
   * @param below how far below: 1 for the frame that called this one
   * @return what {@link Locals#all(StackFrame)} answers
   * @throws FrameUnavailableException if there are not so many frames
   * @throws IllegalArgumentException if the number is negative
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws JvmtiException if the JVM cannot tell for another reason
   * @throws IllegalStateException if the listener has returned, or this is another thread, or if
   *     the environment is closed
   */
  public List<LocalVariable> locals(int below) {
    if (below < 0) {
      throw new IllegalArgumentException("below must not be negative: " + below);
    }
    int depth = depth(frames.count(requireHere()));
    return locals.all(thread, depth + Math.min(below, height));
  }

  /**
   * What a variable holds. Needs {@link Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param name the name of a variable in scope, {@code "this"} for the receiver; {@code "arg0"}
   *     and so on where the class was compiled without debug information
   * @param type of what class it is, {@code int.class} and the like for primitive ones
   * @param <T> its type
   * @return what it holds, which may be {@code null}
   * @throws IllegalArgumentException if no variable of that name is in scope
   * @throws ClassCastException if it holds what is of another type
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws JvmtiException if it cannot be read
   * @throws IllegalStateException if the listener has returned, or this is another thread, or if
   *     the environment is closed
   */
  @SuppressWarnings(
      "unchecked") // What is boxed is of the wrapper that a primitive type stands for.
  public <T> @Nullable T local(String name, Class<T> type) {
    requireNonNull(name, "name");
    requireNonNull(type, "type");
    Class<?> wrapper = MethodType.methodType(type).wrap().returnType();
    int depth = depth(frames.count(requireHere()));
    for (DeclaredVariable one : locals.table(method).orElse(List.of())) {
      if (one.name().equals(name) && one.isInScope(location)) {
        return (T) wrapper.cast(value(one, depth + 1));
      }
    }
    List<LocalVariable> all = locals.all(thread, depth);
    List<String> names = new ArrayList<>();
    for (LocalVariable one : all) {
      if (one.name().equals(name)) {
        if (one.unread().isPresent()) {
          throw new JvmtiException("GetLocalObject", one.unread().get(), name + " is not read");
        }
        return (T) wrapper.cast(one.value());
      }
      names.add(one.name());
    }
    throw new IllegalArgumentException(
        "name is that of no variable in scope at " + this + ": " + name + ", of " + names);
  }

  /** What it holds in a frame at that depth of who calls this. */
  private @Nullable Object value(DeclaredVariable one, int depth) {
    String type = one.signature();
    int slot = one.slot();
    return switch (type.charAt(0)) {
      case 'J' -> locals.longAt(thread, depth, slot);
      case 'F' -> locals.floatAt(thread, depth, slot);
      case 'D' -> locals.doubleAt(thread, depth, slot);
      case 'L', '[' -> locals.objectAt(thread, depth, slot).orElse(null);
      default -> SlotValues.boxed(type, locals.intAt(thread, depth, slot), null);
    };
  }

  /**
   * Has a variable hold another value. Needs {@link Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param name the name of a variable in scope
   * @param value what it is to hold, as {@link Locals#set} takes it
   * @throws IllegalArgumentException if no variable of that name is in scope, or if a primitive
   *     type does not take the value
   * @throws JvmtiException with the code 34 if the object is not of the variable's type
   * @throws NotSupportedException if the method is the JDK's own or this library's
   * @throws FrameUnavailableException if the thread is virtual: its frames can be written only
   *     while nothing runs above them
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the listener has returned, or this is another thread, or if
   *     the environment is closed
   */
  public void set(String name, @Nullable Object value) {
    locals.set(frames.at(thread, depth(frames.count(requireHere()))), name, value);
  }

  /**
   * Has the method return at once, without a value: in a listener of a breakpoint or a single step,
   * {@link Events#at} among them. Needs {@link Capability#CAN_FORCE_EARLY_RETURN}.
   *
   * <p>It does so once all listeners have returned that this environment has for the event: nothing
   * more of the method runs, neither the bytecode that it has come to nor a {@code finally}, and
   * what {@code synchronized} has locked in it is unlocked. What the method has done is not undone.
   * It returns also if the listener throws afterwards.
   *
   * <p>Who asks first is granted it; other listeners of the same event are told as ever. Those of
   * environments that the JVM would tell of the event later are not told any more, and count it as
   * {@linkplain EventCounts#suppressed() suppressed}: Java that ran on the thread by then would
   * return in the method's place. So it goes with an agent of somebody else that the JVM tells
   * later, and that runs Java: this library cannot keep it from that.
   *
   * <p>If in the meantime another thread has had the method left in another way ({@link Frames},
   * {@link io.jvmtools.thread.Threads#stop}), if the class was given another class file, or the
   * environment was closed, it does not return for this, and the event counts as {@linkplain
   * EventCounts#lost() lost} for the listener, too.
   *
   * @throws JvmtiException with the code 34 if the method returns something
   * @throws NotSupportedException if the method is the JDK's own or this library's, or a
   *     constructor
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws StalledException if the thread of the library that looks after it does not answer
   * @throws IllegalStateException if a listener of the same event has asked for it already; if this
   *     is an event of another kind; if another thread has thrown something in this one that it may
   *     not have come to ({@link io.jvmtools.thread.Threads#stop}), or has it leave the frame in
   *     another way; if the listener has returned, or this is another thread; or if the environment
   *     is closed
   */
  public void returnEarly() {
    requireFrame();
    returnEarly('V', 0, null);
  }

  /**
   * Has the method return a value at once, as {@link #returnEarly()} has one that returns none.
   * Needs {@link Capability#CAN_FORCE_EARLY_RETURN}.
   *
   * <p>HotSpot may lose an object that is returned, or crash for a number or {@code null} that is
   * returned in the middle of a method, if it tells of single steps, or of entries, exits or pops
   * of methods, and collects garbage meanwhile. So while an environment of this library asks for
   * one of those, only {@code null} and numbers are returned, and at {@link #location()} 0. Nothing
   * keeps from that if another agent asks, such as a debugger, or somebody begins to at that very
   * moment.
   *
   * @param value what it returns: an object of the type that its class means by the name, or {@code
   *     null}; of a primitive type the value boxed, and widened as the language does
   * @throws IllegalArgumentException if the method returns a primitive type that does not take the
   *     value
   * @throws JvmtiException with the code 34 if the method returns nothing, or no such object
   * @throws NotSupportedException as {@link #returnEarly()}; and while somebody asks for such
   *     events
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws StalledException if the thread of the library that looks after it does not answer
   * @throws IllegalStateException as {@link #returnEarly()}
   */
  public void returnEarly(@Nullable Object value) {
    requireFrame();
    String type = method.signature().substring(method.signature().indexOf(')') + 1);
    if (type.equals("V")) {
      returnEarly('L', 0, value);
    } else {
      NewValue given = NewValue.of("value", "a method", type, value);
      returnEarly(given.type(), given.bits(), given.object());
    }
  }

  private void returnEarly(char letter, long bits, @Nullable Object value) {
    EventNatives.returnEarly(
        environment.handle(), METHOD_IDS.make(method), location, letter, bits, value);
    environment.keep();
  }

  /**
   * Whether no constructor of a class of those goes on with the same object: {@code this(…)} and
   * {@code super(…)} come by as well.
   */
  boolean isLastConstructor(CodePlace place) {
    int depth = depth(frames.count(requireHere()));
    for (int i = 1; i < height; i++) {
      JvmMethod caller = frames.at(thread, depth + i).method();
      if (!caller.isConstructor()) {
        return true;
      }
      Class<?> type = caller.declaringClass().orElse(null);
      if (type != null && place.mayBeIn(type)) {
        // Only then: the JVM stops all threads to tell it.
        Object made = locals.instance(thread, depth).orElse(null);
        return locals.instance(thread, depth + i).orElse(null) != made;
      }
    }
    return true;
  }

  /** From here on it answers nothing any more. */
  void hasReturned() {
    hasReturned = true;
  }

  /** The depth of the frame for who has so many up to his own, which is still there. */
  private int depth(int count) {
    if (count > height) {
      int fromHere = count + 1 - height;
      StackFrame now = frames.at(thread, fromHere);
      if (now.location() == location && now.method().equals(method)) {
        return count - height;
      }
    }
    throw new IllegalStateException("the listener has returned");
  }

  private void requireFrame() {
    int unused = depth(frames.count(requireHere()));
  }

  private Thread requireHere() {
    if (hasReturned) {
      throw new IllegalStateException("the listener has returned");
    }
    if (Thread.currentThread() != thread) {
      throw new IllegalStateException("the frame is that of the thread " + thread.getName());
    }
    if (height == 0) {
      StackTrace near = frames.stackTrace(thread, 0, NEAR);
      StackTrace all = isTold(near) ? near : frames.stackTrace(thread);
      height = frames.count(thread) - told(all);
    }
    return thread;
  }

  /**
   * The frame as a line.
   *
   * @return for example {@code "com.acme.Cart.total(Cart.java:42)"}
   */
  @Override
  public String toString() {
    return method.toStackTraceElement(location).toString();
  }
}
