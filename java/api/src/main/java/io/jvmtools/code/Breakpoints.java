package io.jvmtools.code;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiException;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.MemberUnavailableException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.StalledException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.BreakpointNatives;
import io.jvmtools.internal.environment.Environment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Breakpoints: instructions at which the JVM stops to tell that a thread has come there.
 *
 * <p>They need {@link Capability#CAN_GENERATE_BREAKPOINT_EVENTS}, which only one environment can
 * hold at a time, and which can be had only with the agent: {@code
 * -agentpath:…=prepare=can_generate_breakpoint_events}.
 *
 * <p>A breakpoint is one of the JVM, not of an environment: there is one at most at an instruction,
 * whoever has set it, and anybody can clear it who holds the capability. What this environment has
 * set is cleared when it is closed, and when it gives up the capability. When a class is redefined,
 * by whomever, the JVM drops all breakpoints in it without a word. After a redefinition or
 * retransformation by this library those that environments have set are set again, as far as an
 * instruction begins there in the new code. Until they are gone the JVM keeps their class loaded.
 */
public final class Breakpoints {

  static {
    Makers.register(
        Breakpoints.class,
        new Maker<Environment, Breakpoints>() {
          @Override
          public Breakpoints make(Environment environment) {
            return new Breakpoints(environment);
          }
        });
  }

  private final Environment environment;

  Breakpoints(Environment environment) {
    this.environment = environment;
  }

  /**
   * Sets a breakpoint. Needs {@link Capability#CAN_GENERATE_BREAKPOINT_EVENTS}.
   *
   * @param method in which method
   * @param location at which instruction: the bytecode index at which it begins, as a frame, a line
   *     number or the disassembly has it
   * @throws JvmtiException with the code 24 if no instruction of the method begins there, as in a
   *     method that is native or abstract; with the code 40 if there is a breakpoint already
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws StalledException if the thread of the library that does it does not answer, or another
   *     thread, which may be suspended, keeps on giving the class another class file
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetBreakpoint")
  public void set(JvmMethod method, long location) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("SetBreakpoint");
    BreakpointNatives.setBreakpoint(environment.handle(), type, method.id(), location);
    environment.keep();
  }

  /**
   * Clears a breakpoint, whoever has set it. Needs {@link
   * Capability#CAN_GENERATE_BREAKPOINT_EVENTS}.
   *
   * @param method in which method
   * @param location at which instruction
   * @throws JvmtiException with the code 24 if the method has no such bytecode; with the code 41 if
   *     there is no breakpoint, as after a redefinition of the class by somebody else
   * @throws MemberUnavailableException if its class has been unloaded
   * @throws StalledException if the thread of the library that does it does not answer, or another
   *     thread, which may be suspended, keeps on giving the class another class file
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("ClearBreakpoint")
  public void clear(JvmMethod method, long location) {
    requireNonNull(method, "method");
    Class<?> type = method.holder("ClearBreakpoint");
    BreakpointNatives.clearBreakpoint(environment.handle(), type, method.id(), location);
    environment.keep();
  }

  /**
   * What this environment has set and not cleared. Needs no capability.
   *
   * <p>That a redefinition by somebody else has dropped one the JVM does not tell.
   *
   * @return an unmodifiable list, in the order in which they were set
   * @throws IllegalStateException if the environment is closed
   */
  public List<Breakpoint> all() {
    long[] pairs = environment.keep(BreakpointNatives.breakpoints(environment.handle()));
    long[] ids = new long[pairs.length / 2];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = pairs[2 * i];
    }
    JvmMethod[] methods = KnownMethods.of(ids);
    List<Breakpoint> all = new ArrayList<>();
    for (int i = 0; i < ids.length; i++) {
      all.add(new Breakpoint(methods[i], pairs[2 * i + 1]));
    }
    return Collections.unmodifiableList(all);
  }
}
