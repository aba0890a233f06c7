package io.jvmtools.system;

import static java.util.Objects.requireNonNull;

import io.jvmtools.JvmtiFunction;
import io.jvmtools.NotSupportedException;
import io.jvmtools.StalledException;
import io.jvmtools.WrongPhaseException;
import io.jvmtools.internal.Lists;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.system.JniTableNatives;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * JNI: the functions by which native code calls the JVM, and how often it does.
 *
 * <pre>{@code
 * try (JniCallCounter counter = jvmti.jniFunctions().count(JniFunction.FIND_CLASS)) {
 *   library.work();
 *   System.out.println(counter.calls(JniFunction.FIND_CLASS));
 * }
 * }</pre>
 */
public final class JniFunctions {

  static {
    Makers.register(
        JniFunctions.class,
        new Maker<Environment, JniFunctions>() {
          @Override
          public JniFunctions make(Environment environment) {
            return new JniFunctions(environment);
          }
        });
  }

  private final Environment environment;

  JniFunctions(Environment environment) {
    this.environment = environment;
  }

  /**
   * The functions of JNI that this JVM has. Needs no capability; live phase.
   *
   * @return an unmodifiable set in the order of the JVM's table
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetJNIFunctionTable")
  public Set<JniFunction> available() {
    int[] slots = environment.keep(JniTableNatives.getJNIFunctionTable(environment.handle()));
    EnumSet<JniFunction> available = EnumSet.noneOf(JniFunction.class);
    for (JniFunction function : JniFunction.values()) {
      if (Arrays.binarySearch(slots, function.slot()) >= 0) {
        available.add(function);
      }
    }
    return Collections.unmodifiableSet(available);
  }

  /**
   * Counts the calls of some functions of JNI from now on, whoever makes them: each call takes a
   * few nanoseconds more until the counter is closed. Each thread of this JVM is counted, the JDK's
   * own native code and this library's among them. Needs no capability; live phase.
   *
   * <p>With several threads at once in the same function it is some tens of nanoseconds; other
   * functions cost nothing. Counters may count the same functions.
   *
   * <p>The JVM has one table of its functions for all agents, and whoever changes it replaces all
   * of it. An agent that puts its own functions over the counted ones and calls those is counted
   * all the same; one that puts back an older table ends the counting, and nobody is told. Two that
   * change the table in the same moment may undo one another.
   *
   * @param functions which; at least one
   * @return the counter; close it. It is closed with this environment at the latest, or when it has
   *     become unreachable
   * @throws IllegalArgumentException if there is none
   * @throws NotSupportedException if this JVM does not have one of them
   * @throws StalledException if the thread of the library that does this does not answer
   * @throws WrongPhaseException if the JVM is ending
   * @throws IllegalStateException if the environment is closed, or if other agents have put too
   *     many different functions in the place of one of them
   */
  @JvmtiFunction("SetJNIFunctionTable")
  public JniCallCounter count(JniFunction... functions) {
    Lists.requireNoneNull(requireNonNull(functions, "functions"), "functions");
    if (functions.length == 0) {
      throw new IllegalArgumentException("functions: none");
    }
    return new JniCallCounter(environment, EnumSet.copyOf(Arrays.asList(functions)));
  }

  /**
   * Counts the calls of all functions that are {@link #available()}, as {@link
   * #count(JniFunction...)} does.
   *
   * @return the counter; close it. It is closed with this environment at the latest, or when it has
   *     become unreachable
   * @throws StalledException if the thread of the library that does this does not answer
   * @throws WrongPhaseException if the JVM is ending
   * @throws IllegalStateException if the environment is closed, or if other agents have put too
   *     many different functions in the place of one of them
   */
  @JvmtiFunction("SetJNIFunctionTable")
  public JniCallCounter countAll() {
    return new JniCallCounter(environment, EnumSet.copyOf(available()));
  }
}
