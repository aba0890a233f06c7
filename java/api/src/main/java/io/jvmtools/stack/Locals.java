package io.jvmtools.stack;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.FrameUnavailableException;
import io.jvmtools.JvmtiException;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.MemberUnavailableException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.StalledException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.ThreadNotSuspendedException;
import io.jvmtools.code.DeclaredVariable;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.stack.LocalNatives;
import io.jvmtools.internal.thread.ThreadReferences;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Local variables: what frames hold, by name and by slot, and other values for them.
 *
 * <pre>{@code
 * try (Jvmti jvmti = Jvmti.open(CAN_SUSPEND, CAN_ACCESS_LOCAL_VARIABLES)) {
 *   jvmti.threads().withSuspended(worker, Duration.ofSeconds(1), () -> {
 *     for (StackFrame frame : jvmti.frames().stackTrace(worker)) {
 *       for (LocalVariable variable : jvmti.locals().all(frame)) {
 *         System.out.println(variable.name() + " = " + variable.value());
 *       }
 *     }
 *     return null;
 *   });
 * }
 * }</pre>
 *
 * <p>Everything here needs {@link Capability#CAN_ACCESS_LOCAL_VARIABLES}, which can be had only
 * with the agent: {@code -agentpath:…=prepare=can_access_local_variables}.
 *
 * <p><b>Threads</b>. A frame is named by its thread and its depth, and means something only as long
 * as the thread stands still. So it has to be suspended, by whomever, or be the calling one; that
 * is so on every JDK, also where the JVM itself would read on. Whoever resumes it in the middle of
 * a call has it refused, or waits until it is over. On the calling thread the frames of this
 * library are left out: depth 0 is the method that called it. Virtual threads can be read like
 * others.
 *
 * <p><b>Writing</b>. A method goes on with what it finds, so it gets nothing that its class file
 * rules out: a variable takes values of its type alone, which for a class is the one that the
 * method's class loader means by the name, and only if what is there is of that type too. Without
 * debug information an object can only be followed by one of the same class or of a subclass, or by
 * {@code null}, and in a class file before version 51 nothing by a number. Variables of the JDK's
 * own methods (those of the bootstrap loader), and of this library's, are not written: that is a
 * {@link NotSupportedException}. In a virtual thread only the innermost frame can be written, only
 * while the thread is mounted, and on some JDKs only as long as the frame is not compiled: else
 * that is a {@link FrameUnavailableException}.
 *
 * <p><b>What it costs</b>. The JVM reads and writes each variable by itself, at a safepoint of its
 * own, also one of the calling thread, and walks from the top of the stack to its frame: a few
 * microseconds on top of a stack in a JVM with few threads, more with thousands of them, and for
 * all variables of a thousand frames a second. Read the frames that matter.
 *
 * <p>What was compiled is interpreted once a variable of its frame has been written. A variable
 * that the code does not use any more may still have its last value, or none.
 */
public final class Locals {

  /** The native and the method of this class. */
  private static final int OWN = 2;

  /** Whichever the frame is of. */
  private static final int ANY_METHOD = 0;

  private static final Maker<Environment, Function<JvmMethod, Optional<List<DeclaredVariable>>>>
      TABLES = Makers.of(DeclaredVariable.class);

  static {
    Makers.register(
        Locals.class,
        new Maker<Environment, Locals>() {
          @Override
          public Locals make(Environment environment) {
            return new Locals(environment);
          }
        });
  }

  private final Environment environment;
  private final Function<JvmMethod, Optional<List<DeclaredVariable>>> tables;

  Locals(Environment environment) {
    this.environment = environment;
    this.tables = TABLES.make(environment);
  }

  /**
   * The variables that are in scope in a frame, with what they hold. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * <p>One that cannot be read says why, and hides no other. Where the class was compiled without
   * debug information they are {@code this} and the parameters, which are called {@code arg0} and
   * so on; the other slots are read by their number.
   *
   * @param frame a frame of a thread that is suspended, or of the calling one, and has not gone on
   *     since: only the calling thread may have done so, in its innermost frame
   * @return an unmodifiable list in the order of the class file, which is none; empty for a native
   *     method
   * @throws IllegalArgumentException if the frame is that of a thread dump
   * @throws FrameUnavailableException if the thread has gone on: at that depth is another method,
   *     or the same at another location, or nothing
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws JvmtiException if the JVM cannot tell for another reason
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction({
    "GetLocalVariableTable",
    "GetLocalObject",
    "GetLocalInt",
    "GetLocalLong",
    "GetLocalFloat",
    "GetLocalDouble"
  })
  public List<LocalVariable> all(StackFrame frame) {
    return FrameVariables.of(environment, frame);
  }

  /**
   * The variables that are in scope in a frame, whichever is at a depth now, with what they hold.
   * Needs {@link Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * <p>What it answers is as for {@link #all(StackFrame)}.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @return an unmodifiable list in the order of the class file, which is none; empty for a native
   *     method
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws JvmtiException if the JVM cannot tell for another reason
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction({
    "GetLocalVariableTable",
    "GetLocalObject",
    "GetLocalInt",
    "GetLocalLong",
    "GetLocalFloat",
    "GetLocalDouble"
  })
  public List<LocalVariable> all(Thread thread, int depth) {
    return FrameVariables.at(environment, thread, depth);
  }

  /**
   * Has a variable of a frame hold another value. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param frame a frame as {@link #all(StackFrame)} takes it
   * @param name the name of a variable in scope, as that answers it
   * @param object what it is to hold: for a primitive type a boxed value, which is widened as the
   *     language does it ({@code 3} for a {@code long})
   * @throws IllegalArgumentException if no variable of that name is in scope, if a primitive type
   *     does not take the value, or if the frame is that of a thread dump
   * @throws JvmtiException with the code 34 if the object is not of the variable's type
   * @throws NotSupportedException if the method is the JDK's own or this library's
   * @throws FrameUnavailableException if the thread has gone on, or if the frame of a virtual
   *     thread is not the innermost one or the thread not mounted
   * @throws StalledException if the thread of the library that writes it does not answer, or who
   *     resumes the thread stands still meanwhile
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if this is a parameter of a method that the thread is about to
   *     call again ({@link Frames#pop}), or if the environment is closed
   */
  @JvmtiFunction({
    "GetLocalVariableTable",
    "SetLocalObject",
    "SetLocalInt",
    "SetLocalLong",
    "SetLocalFloat",
    "SetLocalDouble"
  })
  public void set(StackFrame frame, String name, Object object) {
    FrameVariables.set(environment, frame, name, requireNonNull(object, "object"));
  }

  /**
   * Has a variable of a frame hold {@code null}. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param frame a frame as {@link #all(StackFrame)} takes it
   * @param name the name of a variable in scope, as that answers it
   * @throws IllegalArgumentException if no variable of that name is in scope, if it is of a
   *     primitive type, or if the frame is that of a thread dump
   * @throws NotSupportedException if the method is the JDK's own or this library's
   * @throws FrameUnavailableException if the thread has gone on, or if the frame of a virtual
   *     thread is not the innermost one or the thread not mounted
   * @throws StalledException if the thread of the library that writes it does not answer, or who
   *     resumes the thread stands still meanwhile
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws JvmtiException if the JVM cannot write it for another reason
   * @throws IllegalStateException if this is a parameter of a method that the thread is about to
   *     call again ({@link Frames#pop}), or if the environment is closed
   */
  @JvmtiFunction({"GetLocalVariableTable", "SetLocalObject"})
  public void setNull(StackFrame frame, String name) {
    FrameVariables.set(environment, frame, name, null);
  }

  /**
   * The receiver of a frame, {@code this}. Needs {@link Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @return the object; empty for a static method, and where the JVM no longer keeps it
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep; from JDK 24 on also for a
   *     native method of another virtual thread, about which the JVM may crash
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetLocalInstance")
  public Optional<Object> instance(Thread thread, int depth) {
    requireNonNull(thread, "thread");
    int at = FrameVariables.depth(environment, thread, depth, OWN);
    return environment.keep(
        Optional.ofNullable(
            LocalNatives.getLocalInstance(
                environment.handle(), ThreadReferences.nullIfCurrent(thread), at)));
  }

  /**
   * The object that a frame keeps in a slot. Needs {@link Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @param slot where the frame keeps the variable
   * @return the object; empty for {@code null}
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep, or the method native
   * @throws JvmtiException with the code 35 if the slot holds no variable there, 34 if one of
   *     another type
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetLocalObject")
  public Optional<Object> objectAt(Thread thread, int depth, int slot) {
    requireNonNull(thread, "thread");
    int at = FrameVariables.depth(environment, thread, depth, OWN);
    return environment.keep(
        Optional.ofNullable(
            LocalNatives.getLocalObject(
                environment.handle(), ThreadReferences.nullIfCurrent(thread), at, slot)));
  }

  /**
   * The {@code int}, {@code short}, {@code char}, {@code byte} or {@code boolean} that a frame
   * keeps in a slot. Needs {@link Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * <p>Without debug information the JVM cannot tell one primitive type from another.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @param slot where the frame keeps the variable
   * @return the value
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep, or the method native
   * @throws JvmtiException with the code 35 if the slot holds no variable there, 34 if one of
   *     another type
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetLocalInt")
  public int intAt(Thread thread, int depth, int slot) {
    requireNonNull(thread, "thread");
    int at = FrameVariables.depth(environment, thread, depth, OWN);
    int value =
        LocalNatives.getLocalInt(
            environment.handle(), ThreadReferences.nullIfCurrent(thread), at, slot);
    environment.keep();
    return value;
  }

  /**
   * The {@code long} that a frame keeps in a slot and the next one. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * <p>Without debug information the JVM cannot tell one primitive type from another.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @param slot where the frame keeps the variable
   * @return the value
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep, or the method native
   * @throws JvmtiException with the code 35 if the slot holds no variable there, 34 if one of
   *     another type
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetLocalLong")
  public long longAt(Thread thread, int depth, int slot) {
    requireNonNull(thread, "thread");
    int at = FrameVariables.depth(environment, thread, depth, OWN);
    long value =
        LocalNatives.getLocalLong(
            environment.handle(), ThreadReferences.nullIfCurrent(thread), at, slot);
    environment.keep();
    return value;
  }

  /**
   * The {@code float} that a frame keeps in a slot. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * <p>Without debug information the JVM cannot tell one primitive type from another.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @param slot where the frame keeps the variable
   * @return the value
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep, or the method native
   * @throws JvmtiException with the code 35 if the slot holds no variable there, 34 if one of
   *     another type
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetLocalFloat")
  public float floatAt(Thread thread, int depth, int slot) {
    requireNonNull(thread, "thread");
    int at = FrameVariables.depth(environment, thread, depth, OWN);
    float value =
        LocalNatives.getLocalFloat(
            environment.handle(), ThreadReferences.nullIfCurrent(thread), at, slot);
    environment.keep();
    return value;
  }

  /**
   * The {@code double} that a frame keeps in a slot and the next one. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * <p>Without debug information the JVM cannot tell one primitive type from another.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @param slot where the frame keeps the variable
   * @return the value
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep, or the method native
   * @throws JvmtiException with the code 35 if the slot holds no variable there, 34 if one of
   *     another type
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetLocalDouble")
  public double doubleAt(Thread thread, int depth, int slot) {
    requireNonNull(thread, "thread");
    int at = FrameVariables.depth(environment, thread, depth, OWN);
    double value =
        LocalNatives.getLocalDouble(
            environment.handle(), ThreadReferences.nullIfCurrent(thread), at, slot);
    environment.keep();
    return value;
  }

  /**
   * Has a frame keep another object in a slot. Needs {@link Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @param slot where the frame keeps the variable
   * @param object what it is to keep
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep, or the method native, or if
   *     the frame of a virtual thread is not the innermost one or the thread not mounted
   * @throws JvmtiException with the code 35 if the slot holds no variable there, 34 if one of
   *     another type
   * @throws NotSupportedException if the method is the JDK's own or this library's
   * @throws StalledException if the thread of the library that writes it does not answer, or who
   *     resumes the thread stands still meanwhile
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if this is a parameter of a method that the thread is about to
   *     call again ({@link Frames#pop}), or if the environment is closed
   */
  @JvmtiFunction("SetLocalObject")
  public void setObjectAt(Thread thread, int depth, int slot, Object object) {
    requireNonNull(thread, "thread");
    requireNonNull(object, "object");
    int at = FrameVariables.depth(environment, thread, depth, OWN);
    long env = environment.handle();
    Thread other = ThreadReferences.nullIfCurrent(thread);
    LocalNatives.setLocalObject(env, ANY_METHOD, 0, other, at, slot, object);
    environment.keep();
  }

  /**
   * Has a frame keep {@code null} in a slot. Needs {@link Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @param slot where the frame keeps the variable
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep, or the method native, or if
   *     the frame of a virtual thread is not the innermost one or the thread not mounted
   * @throws JvmtiException with the code 35 if the slot holds no variable there, 34 if one of
   *     another type
   * @throws NotSupportedException if the method is the JDK's own or this library's
   * @throws StalledException if the thread of the library that writes it does not answer, or who
   *     resumes the thread stands still meanwhile
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if this is a parameter of a method that the thread is about to
   *     call again ({@link Frames#pop}), or if the environment is closed
   */
  @JvmtiFunction("SetLocalObject")
  public void setNullAt(Thread thread, int depth, int slot) {
    requireNonNull(thread, "thread");
    int at = FrameVariables.depth(environment, thread, depth, OWN);
    long env = environment.handle();
    Thread other = ThreadReferences.nullIfCurrent(thread);
    LocalNatives.setLocalObject(env, ANY_METHOD, 0, other, at, slot, null);
    environment.keep();
  }

  /**
   * Has a frame keep another value: an {@code int}, {@code short}, {@code char}, {@code byte} or
   * {@code boolean} in a slot. Needs {@link Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @param slot where the frame keeps the variable
   * @param value what it is to keep
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep, or the method native, or if
   *     the frame of a virtual thread is not the innermost one or the thread not mounted
   * @throws JvmtiException with the code 35 if the slot holds no variable there, 34 if one of
   *     another type
   * @throws NotSupportedException if the method is the JDK's own or this library's
   * @throws StalledException if the thread of the library that writes it does not answer, or who
   *     resumes the thread stands still meanwhile
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if this is a parameter of a method that the thread is about to
   *     call again ({@link Frames#pop}), or if the environment is closed
   */
  @JvmtiFunction("SetLocalInt")
  public void setIntAt(Thread thread, int depth, int slot, int value) {
    requireNonNull(thread, "thread");
    int at = FrameVariables.depth(environment, thread, depth, OWN);
    long env = environment.handle();
    Thread other = ThreadReferences.nullIfCurrent(thread);
    LocalNatives.setLocalInt(env, ANY_METHOD, 0, other, at, slot, value);
    environment.keep();
  }

  /**
   * Has a frame keep another value: a {@code long} in a slot. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @param slot where the frame keeps the variable
   * @param value what it is to keep
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep, or the method native, or if
   *     the frame of a virtual thread is not the innermost one or the thread not mounted
   * @throws JvmtiException with the code 35 if the slot holds no variable there, 34 if one of
   *     another type
   * @throws NotSupportedException if the method is the JDK's own or this library's
   * @throws StalledException if the thread of the library that writes it does not answer, or who
   *     resumes the thread stands still meanwhile
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if this is a parameter of a method that the thread is about to
   *     call again ({@link Frames#pop}), or if the environment is closed
   */
  @JvmtiFunction("SetLocalLong")
  public void setLongAt(Thread thread, int depth, int slot, long value) {
    requireNonNull(thread, "thread");
    int at = FrameVariables.depth(environment, thread, depth, OWN);
    long env = environment.handle();
    Thread other = ThreadReferences.nullIfCurrent(thread);
    LocalNatives.setLocalLong(env, ANY_METHOD, 0, other, at, slot, value);
    environment.keep();
  }

  /**
   * Has a frame keep another value: a {@code float} in a slot. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @param slot where the frame keeps the variable
   * @param value what it is to keep
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep, or the method native, or if
   *     the frame of a virtual thread is not the innermost one or the thread not mounted
   * @throws JvmtiException with the code 35 if the slot holds no variable there, 34 if one of
   *     another type
   * @throws NotSupportedException if the method is the JDK's own or this library's
   * @throws StalledException if the thread of the library that writes it does not answer, or who
   *     resumes the thread stands still meanwhile
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if this is a parameter of a method that the thread is about to
   *     call again ({@link Frames#pop}), or if the environment is closed
   */
  @JvmtiFunction("SetLocalFloat")
  public void setFloatAt(Thread thread, int depth, int slot, float value) {
    requireNonNull(thread, "thread");
    int at = FrameVariables.depth(environment, thread, depth, OWN);
    long env = environment.handle();
    Thread other = ThreadReferences.nullIfCurrent(thread);
    LocalNatives.setLocalFloat(env, ANY_METHOD, 0, other, at, slot, value);
    environment.keep();
  }

  /**
   * Has a frame keep another value: a {@code double} in a slot. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param thread a thread that is suspended, or the calling one
   * @param depth 0 for the innermost frame
   * @param slot where the frame keeps the variable
   * @param value what it is to keep
   * @throws IllegalArgumentException if {@code depth} is negative
   * @throws FrameUnavailableException if the stack is not that deep, or the method native, or if
   *     the frame of a virtual thread is not the innermost one or the thread not mounted
   * @throws JvmtiException with the code 35 if the slot holds no variable there, 34 if one of
   *     another type
   * @throws NotSupportedException if the method is the JDK's own or this library's
   * @throws StalledException if the thread of the library that writes it does not answer, or who
   *     resumes the thread stands still meanwhile
   * @throws ThreadNotSuspendedException if the thread is neither suspended nor the calling one
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if this is a parameter of a method that the thread is about to
   *     call again ({@link Frames#pop}), or if the environment is closed
   */
  @JvmtiFunction("SetLocalDouble")
  public void setDoubleAt(Thread thread, int depth, int slot, double value) {
    requireNonNull(thread, "thread");
    int at = FrameVariables.depth(environment, thread, depth, OWN);
    long env = environment.handle();
    Thread other = ThreadReferences.nullIfCurrent(thread);
    LocalNatives.setLocalDouble(env, ANY_METHOD, 0, other, at, slot, value);
    environment.keep();
  }

  /**
   * The variables that a method declares, whether anybody runs it or not. Needs {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param method a method, as a frame has it
   * @return an unmodifiable list in the order of the class file, which is none; empty of a native
   *     or abstract method, and if its class was compiled without debug information
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetLocalVariableTable")
  public Optional<List<DeclaredVariable>> table(JvmMethod method) {
    return tables.apply(method);
  }
}
