package io.jvmtools.stack;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.FrameUnavailableException;
import io.jvmtools.JvmtiException;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.StalledException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.stack.FrameNatives;
import io.jvmtools.internal.thread.ThreadReferences;
import java.util.List;

/**
 * Stacks and frames: where threads are, and how a suspended one leaves its innermost frame. To look
 * needs no capability.
 *
 * <p>Depths count from 0, the innermost frame. On the calling thread the frames of this library are
 * left out: depth 0 is the method that called it.
 *
 * <p>Nothing is suspended for long: a running thread goes on as soon as its stack has been read, so
 * a trace shows one moment, and the next one may differ.
 */
public final class Frames {

  /** The native and the method of this class. */
  private static final int OWN = 2;

  static {
    Makers.register(
        Frames.class,
        new Maker<Environment, Frames>() {
          @Override
          public Frames make(Environment environment) {
            return new Frames(environment);
          }
        });
  }

  private final Environment environment;

  Frames(Environment environment) {
    this.environment = environment;
  }

  /**
   * The whole stack of a thread.
   *
   * <p>JDK 22 to 25 crash, once in some hundred thousand calls, where a virtual thread is mounted
   * or unmounted meanwhile. So there another virtual thread is read at a safepoint, as several are
   * by {@link #stackTraces(List)}: that takes a tenth of a millisecond, for one as for many.
   *
   * @param thread a live thread
   * @return its frames, innermost first
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetStackTrace")
  public StackTrace stackTrace(Thread thread) {
    return Stacks.read(environment, thread, 0, Stacks.ALL);
  }

  /**
   * A part of the stack of a thread.
   *
   * @param thread a live thread
   * @param start the depth of the first frame, 0 for the innermost
   * @param maxFrames how many frames at most
   * @return the frames, innermost first
   * @throws IllegalArgumentException if {@code start} is negative or {@code maxFrames} not positive
   * @throws FrameUnavailableException if the stack is not as deep as {@code start}
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetStackTrace")
  public StackTrace stackTrace(Thread thread, int start, int maxFrames) {
    return Stacks.read(environment, thread, start, maxFrames);
  }

  /**
   * The whole stacks of all live platform threads, in the order in which the JVM lists them.
   *
   * <p>All threads are read at one moment, except that those of 512 frames or more are read once
   * more, a few at a time, a little later, and left out if they have ended by then. Of a thread
   * that carries virtual ones and changes to another one just then the JVM tells no frames here,
   * but it does in a list of threads.
   *
   * @return an unmodifiable list
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetAllStackTraces")
  public List<ThreadStack> allStackTraces() {
    return Stacks.all(environment, Stacks.ALL);
  }

  /**
   * The inner ends of the stacks of all live platform threads, in the order in which the JVM lists
   * them. With at most 500 frames all threads are read at one moment.
   *
   * <p>Their states at that moment are told too. What is said of threads that carry virtual ones,
   * where all frames are asked for, holds here, too.
   *
   * @param maxFrames how many frames a thread at most
   * @return an unmodifiable list
   * @throws IllegalArgumentException if {@code maxFrames} is not positive
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetAllStackTraces")
  public List<ThreadStack> allStackTraces(int maxFrames) {
    return Stacks.all(environment, maxFrames);
  }

  /**
   * The whole stacks of some threads, virtual ones among them.
   *
   * <p>Up to 8,000 threads are read at one moment, except that those of 512 frames or more are read
   * once more, a few at a time, a little later.
   *
   * @param threads the threads, started or not, alive or not
   * @return an unmodifiable list in the same order; a thread that is not alive has no frames
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadListStackTraces")
  public List<ThreadStack> stackTraces(List<Thread> threads) {
    return Stacks.of(environment, threads, Stacks.ALL);
  }

  /**
   * The inner ends of the stacks of some threads, virtual ones among them. With at most 500 frames
   * and 8,000 threads all are read at one moment.
   *
   * @param threads the threads, started or not, alive or not
   * @param maxFrames how many frames a thread at most
   * @return an unmodifiable list in the same order; a thread that is not alive has no frames
   * @throws IllegalArgumentException if {@code maxFrames} is not positive
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadListStackTraces")
  public List<ThreadStack> stackTraces(List<Thread> threads, int maxFrames) {
    return Stacks.of(environment, threads, maxFrames);
  }

  /**
   * How deep the stack of a thread is.
   *
   * @param thread a live thread
   * @return the number of its frames
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetFrameCount")
  public int count(Thread thread) {
    return Stacks.count(environment, thread);
  }

  /**
   * One frame of a thread.
   *
   * @param thread a live thread
   * @param depth 0 for the innermost frame
   * @return the frame
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetFrameLocation")
  public StackFrame at(Thread thread, int depth) {
    return Stacks.at(environment, thread, depth);
  }

  /**
   * Has a thread call the method of its innermost frame again. Needs {@link
   * Capability#CAN_POP_FRAME}.
   *
   * <p>It does so as soon as it is resumed: the frame is left, what {@code synchronized} has locked
   * in it is unlocked, and the caller makes the same call once more, with the arguments as the
   * method has left them. What the method has done is not undone, and no {@code finally} runs. To
   * go back by several frames, resume and suspend the thread in between.
   *
   * <p>A method that the JDK has declared itself is not called again, nor one that keeps something
   * else by now where a parameter was, as some optimisers have it. If it assigns to a parameter
   * that is an object, only an environment that also holds {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES} can see whether it does. Nor is one that a method handle
   * has called, as reflection does from JDK 18 on, or one whose class {@link
   * io.jvmtools.code.Classes} has given another class file: HotSpot would crash. Nor one that is at
   * an instruction that calls a method, may throw an exception, or names another class or its
   * fields: HotSpot may be calling Java for that, which would be left instead. A little later it is
   * elsewhere; where it uses what the class itself declares, static or of {@code this}, it may be.
   *
   * <p>On virtual threads nothing is called again: once such a thread has waited, the callers of
   * its innermost frame are on no stack until that frame returns, and HotSpot crashes. {@code
   * forceReturn} is for them, too.
   *
   * <p>A thread that is where it was when it was popped cannot be told from one that has not run
   * yet, such as one in a short loop. It can be popped again, but is not returned from, and its
   * parameters are not written, until it is seen elsewhere.
   *
   * @param thread a thread that is suspended
   * @throws FrameUnavailableException if the frame or its caller is native, as it always is of the
   *     calling thread, if the JVM itself has called the method, if the thread is entering or
   *     waiting on a monitor, or is virtual and not mounted; if it runs no Java
   * @throws NotSupportedException if the method is the JDK's own or this library's, or cannot be
   *     called again, if the thread is virtual, or if the JVM has no such function
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the thread is being told of an event, or is about to leave the
   *     frame already, or is where it was when it was left in another way or something was thrown
   *     in it, if another thread is giving the class another class file, or if the environment is
   *     closed
   */
  @JvmtiFunction("PopFrame")
  public void pop(Thread thread) {
    FrameNatives.popFrame(environment.handle(), requireNonNull(thread, "thread"));
    environment.keep();
  }

  /**
   * Has a thread return from the method of its innermost frame, which returns nothing. Needs {@link
   * Capability#CAN_FORCE_EARLY_RETURN}.
   *
   * <p>It does so as soon as it is resumed: nothing more of the method runs, not even a {@code
   * finally}, and what {@code synchronized} has locked in it is unlocked. What the method has done
   * is not undone.
   *
   * <p>A method of the JDK's own, or of this library's, is not returned from, for its callers rely
   * on what it does; nor is a constructor, for the object would not be finished; nor one that is at
   * an instruction that calls a method, may throw an exception, or names another class or its
   * fields, for HotSpot may be calling Java for that, and would crash. A little later it is
   * elsewhere; where it uses what the class itself declares, static or of {@code this}, it may be.
   *
   * <p>A thread that is being told of an event does not leave a frame. Nor is one that has been
   * made to leave told of the next event, if that happens at the very place where it stood: HotSpot
   * would have it leave the listener.
   *
   * <p>HotSpot may lose an object that is returned, or crash for a number or {@code null} that is
   * returned in the middle of a method, if it tells of single steps, or of entries, exits or pops
   * of methods, and collects garbage meanwhile. So while an environment of this library asks for
   * one of those, that is refused; nothing, and a number or {@code null} at the beginning of a
   * method are returned all the same. Nothing keeps from that if another agent asks for them, such
   * as a debugger, or if somebody does while the thread is still suspended.
   *
   * @param thread a thread that is suspended
   * @throws JvmtiException with the code 34 if the method returns something
   * @throws FrameUnavailableException if the frame is native, as it always is of the calling
   *     thread, if the thread is entering or waiting on a monitor, or is virtual and not mounted;
   *     if it runs no Java
   * @throws NotSupportedException if the method is the JDK's own or this library's, or a
   *     constructor, or is not left there
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the thread is being told of an event, or is about to leave the
   *     frame already, or is where it was when it was left in another way or something was thrown
   *     in it, or if the environment is closed
   */
  @JvmtiFunction("ForceEarlyReturnVoid")
  public void forceReturn(Thread thread) {
    requireNonNull(thread, "thread");
    FrameNatives.forceEarlyReturnVoid(environment.handle(), ThreadReferences.nullIfCurrent(thread));
    environment.keep();
  }

  /**
   * Has a thread return an object from the method of its innermost frame. Needs {@link
   * Capability#CAN_FORCE_EARLY_RETURN}.
   *
   * <p>What that does, and of which methods, is as for {@link #forceReturn(Thread)}.
   *
   * @param thread a thread that is suspended
   * @param object what the method returns, of the type that its class means by the name; a boxed
   *     number is an object
   * @throws JvmtiException with the code 34 if the method does not return such an object
   * @throws FrameUnavailableException if the frame is native, as it always is of the calling
   *     thread, if the thread is entering or waiting on a monitor, or is virtual and not mounted;
   *     if it runs no Java
   * @throws NotSupportedException if the method is the JDK's own or this library's, or a
   *     constructor, or is not left there; if the value might not arrive
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the thread is being told of an event, or is about to leave the
   *     frame already, or is where it was when it was left in another way or something was thrown
   *     in it, or if the environment is closed
   */
  @JvmtiFunction("ForceEarlyReturnObject")
  public void forceReturn(Thread thread, Object object) {
    requireNonNull(thread, "thread");
    FrameNatives.forceEarlyReturnObject(
        environment.handle(),
        ThreadReferences.nullIfCurrent(thread),
        requireNonNull(object, "object"));
    environment.keep();
  }

  /**
   * Has a thread return {@code null} from the method of its innermost frame. Needs {@link
   * Capability#CAN_FORCE_EARLY_RETURN}.
   *
   * <p>What that does, and of which methods, is as for {@link #forceReturn(Thread)}.
   *
   * @param thread a thread that is suspended
   * @throws JvmtiException with the code 34 if the method returns no object
   * @throws FrameUnavailableException if the frame is native, as it always is of the calling
   *     thread, if the thread is entering or waiting on a monitor, or is virtual and not mounted;
   *     if it runs no Java
   * @throws NotSupportedException if the method is the JDK's own or this library's, or a
   *     constructor, or is not left there
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the thread is being told of an event, or is about to leave the
   *     frame already, or is where it was when it was left in another way or something was thrown
   *     in it, or if the environment is closed
   */
  @JvmtiFunction("ForceEarlyReturnObject")
  public void forceReturnNull(Thread thread) {
    requireNonNull(thread, "thread");
    FrameNatives.forceEarlyReturnObject(
        environment.handle(), ThreadReferences.nullIfCurrent(thread), null);
    environment.keep();
  }

  /**
   * Has a thread return a {@code boolean} from the method of its innermost frame. Needs {@link
   * Capability#CAN_FORCE_EARLY_RETURN}.
   *
   * <p>What that does, and of which methods, is as for {@link #forceReturn(Thread)}.
   *
   * @param thread a thread that is suspended
   * @param value what the method returns
   * @throws JvmtiException with the code 34 if the method returns another type than {@code boolean}
   *     and those that {@link #forceReturn(Thread, int)} takes
   * @throws FrameUnavailableException if the frame is native, as it always is of the calling
   *     thread, if the thread is entering or waiting on a monitor, or is virtual and not mounted;
   *     if it runs no Java
   * @throws NotSupportedException if the method is the JDK's own or this library's, or a
   *     constructor, or is not left there; if the value might not arrive
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the thread is being told of an event, or is about to leave the
   *     frame already, or is where it was when it was left in another way or something was thrown
   *     in it, or if the environment is closed
   */
  @JvmtiFunction("ForceEarlyReturnInt")
  public void forceReturn(Thread thread, boolean value) {
    requireNonNull(thread, "thread");
    FrameNatives.forceEarlyReturnInt(
        environment.handle(), ThreadReferences.nullIfCurrent(thread), value ? 1 : 0);
    environment.keep();
  }

  /**
   * Has a thread return an {@code int} from the method of its innermost frame. Needs {@link
   * Capability#CAN_FORCE_EARLY_RETURN}.
   *
   * <p>What that does, and of which methods, is as for {@link #forceReturn(Thread)}.
   *
   * @param thread a thread that is suspended
   * @param value what the method returns: an {@code int}, or a {@code short}, {@code char}, {@code
   *     byte} or {@code boolean}, in the range of that type
   * @throws JvmtiException with the code 34 if the method returns another type, or one that has no
   *     such value
   * @throws FrameUnavailableException if the frame is native, as it always is of the calling
   *     thread, if the thread is entering or waiting on a monitor, or is virtual and not mounted;
   *     if it runs no Java
   * @throws NotSupportedException if the method is the JDK's own or this library's, or a
   *     constructor, or is not left there; if the value might not arrive
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the thread is being told of an event, or is about to leave the
   *     frame already, or is where it was when it was left in another way or something was thrown
   *     in it, or if the environment is closed
   */
  @JvmtiFunction("ForceEarlyReturnInt")
  public void forceReturn(Thread thread, int value) {
    requireNonNull(thread, "thread");
    FrameNatives.forceEarlyReturnInt(
        environment.handle(), ThreadReferences.nullIfCurrent(thread), value);
    environment.keep();
  }

  /**
   * Has a thread return a {@code long} from the method of its innermost frame. Needs {@link
   * Capability#CAN_FORCE_EARLY_RETURN}.
   *
   * <p>What that does, and of which methods, is as for {@link #forceReturn(Thread)}.
   *
   * @param thread a thread that is suspended
   * @param value what the method returns
   * @throws JvmtiException with the code 34 if the method returns another type
   * @throws FrameUnavailableException if the frame is native, as it always is of the calling
   *     thread, if the thread is entering or waiting on a monitor, or is virtual and not mounted;
   *     if it runs no Java
   * @throws NotSupportedException if the method is the JDK's own or this library's, or a
   *     constructor, or is not left there; if the value might not arrive
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the thread is being told of an event, or is about to leave the
   *     frame already, or is where it was when it was left in another way or something was thrown
   *     in it, or if the environment is closed
   */
  @JvmtiFunction("ForceEarlyReturnLong")
  public void forceReturn(Thread thread, long value) {
    requireNonNull(thread, "thread");
    FrameNatives.forceEarlyReturnLong(
        environment.handle(), ThreadReferences.nullIfCurrent(thread), value);
    environment.keep();
  }

  /**
   * Has a thread return a {@code float} from the method of its innermost frame. Needs {@link
   * Capability#CAN_FORCE_EARLY_RETURN}.
   *
   * <p>What that does, and of which methods, is as for {@link #forceReturn(Thread)}.
   *
   * @param thread a thread that is suspended
   * @param value what the method returns
   * @throws JvmtiException with the code 34 if the method returns another type
   * @throws FrameUnavailableException if the frame is native, as it always is of the calling
   *     thread, if the thread is entering or waiting on a monitor, or is virtual and not mounted;
   *     if it runs no Java
   * @throws NotSupportedException if the method is the JDK's own or this library's, or a
   *     constructor, or is not left there; if the value might not arrive
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the thread is being told of an event, or is about to leave the
   *     frame already, or is where it was when it was left in another way or something was thrown
   *     in it, or if the environment is closed
   */
  @JvmtiFunction("ForceEarlyReturnFloat")
  public void forceReturn(Thread thread, float value) {
    requireNonNull(thread, "thread");
    FrameNatives.forceEarlyReturnFloat(
        environment.handle(), ThreadReferences.nullIfCurrent(thread), value);
    environment.keep();
  }

  /**
   * Has a thread return a {@code double} from the method of its innermost frame. Needs {@link
   * Capability#CAN_FORCE_EARLY_RETURN}.
   *
   * <p>What that does, and of which methods, is as for {@link #forceReturn(Thread)}.
   *
   * @param thread a thread that is suspended
   * @param value what the method returns
   * @throws JvmtiException with the code 34 if the method returns another type
   * @throws FrameUnavailableException if the frame is native, as it always is of the calling
   *     thread, if the thread is entering or waiting on a monitor, or is virtual and not mounted;
   *     if it runs no Java
   * @throws NotSupportedException if the method is the JDK's own or this library's, or a
   *     constructor, or is not left there; if the value might not arrive
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the thread is being told of an event, or is about to leave the
   *     frame already, or is where it was when it was left in another way or something was thrown
   *     in it, or if the environment is closed
   */
  @JvmtiFunction("ForceEarlyReturnDouble")
  public void forceReturn(Thread thread, double value) {
    requireNonNull(thread, "thread");
    FrameNatives.forceEarlyReturnDouble(
        environment.handle(), ThreadReferences.nullIfCurrent(thread), value);
    environment.keep();
  }

  /**
   * Has the JVM tell, once, when a frame is left, by whatever way but {@link #pop}. Needs {@link
   * Capability#CAN_GENERATE_FRAME_POP_EVENTS}.
   *
   * <p>It is told to this environment, and forgotten when that is closed.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep, or the method native
   * @throws JvmtiException from JDK 25 on, with the code 40, if it was asked for already
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("NotifyFramePop")
  public void notifyPop(Thread thread, int depth) {
    requireNonNull(thread, "thread");
    FrameNatives.notifyFramePop(
        environment.handle(),
        ThreadReferences.nullIfCurrent(thread),
        FrameVariables.depth(environment, thread, depth, OWN));
    environment.keep();
  }

  /**
   * Has the JVM tell of no frame of a thread that {@link #notifyPop} has named. Needs {@link
   * Capability#CAN_GENERATE_FRAME_POP_EVENTS}, and JDK 25.
   *
   * @param thread a thread that is suspended, or the calling one
   * @throws NotSupportedException before JDK 25
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("ClearAllFramePops")
  public void clearPops(Thread thread) {
    requireNonNull(thread, "thread");
    FrameNatives.clearAllFramePops(environment.handle(), ThreadReferences.nullIfCurrent(thread));
    environment.keep();
  }
}
