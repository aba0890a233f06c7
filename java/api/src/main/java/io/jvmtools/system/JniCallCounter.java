package io.jvmtools.system;

import static java.util.Objects.requireNonNull;

import io.jvmtools.JvmtiFunction;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.system.JniTableNatives;
import java.lang.ref.Reference;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How often some functions of JNI were called, from the moment on in which it was made until it is
 * closed. It may be used, and closed, by any thread.
 *
 * <p>A count is exact: each call by any thread counts once, when it begins.
 */
@SuppressWarnings("exports") // Nullness annotations are for compilers that know them.
public final class JniCallCounter implements AutoCloseable {

  private final Environment environment;
  private final Set<JniFunction> functions;
  private final long handle;

  /** What it counted until it was closed. */
  private final AtomicReference<long @Nullable []> last = new AtomicReference<>();

  JniCallCounter(Environment environment, EnumSet<JniFunction> functions) {
    this.environment = environment;
    this.functions = Collections.unmodifiableSet(functions);
    int[] slots = new int[functions.size()];
    int place = 0;
    for (JniFunction function : functions) {
      slots[place++] = function.slot();
    }
    handle =
        environment.keep(JniTableNatives.setJNIFunctionTable(environment.handle(), this, slots));
  }

  /**
   * What it counts.
   *
   * @return an unmodifiable set in the order of the JVM's table
   */
  public Set<JniFunction> functions() {
    return functions;
  }

  /**
   * How often a function was called so far, or until this counter was closed.
   *
   * @param function one that it counts
   * @return the number of calls
   * @throws IllegalArgumentException if it does not count that function
   * @throws IllegalStateException if the environment was closed before this counter, or the JVM is
   *     ending
   */
  public long calls(JniFunction function) {
    int place = List.copyOf(functions).indexOf(requireNonNull(function, "function"));
    if (place < 0) {
      throw new IllegalArgumentException("function: " + function + " is not counted");
    }
    return counts()[place];
  }

  /**
   * How often each function was called so far, or until this counter was closed. They are read one
   * after the other, while others go on calling.
   *
   * @return the numbers of calls, in the order of the JVM's table; unmodifiable
   * @throws IllegalStateException if the environment was closed before this counter, or the JVM is
   *     ending
   */
  public Map<JniFunction, Long> calls() {
    long[] counts = counts();
    Map<JniFunction, Long> calls = new EnumMap<>(JniFunction.class);
    for (JniFunction function : functions) {
      calls.put(function, counts[calls.size()]);
    }
    return Collections.unmodifiableMap(calls);
  }

  /**
   * Stops counting, and keeps what was counted. The functions that were there before are put back
   * into the JVM's table with the last counter of each, wherever no other agent has put its own
   * function since: that stays, and may go on calling the one that has counted. If the thread of
   * the library that does this is late, it is done later. Closing it again does nothing.
   */
  @Override
  @JvmtiFunction("SetJNIFunctionTable")
  public void close() {
    if (last.get() == null) {
      try {
        last.compareAndSet(null, read());
      } catch (IllegalStateException closedWithItsEnvironment) {
        return;
      }
    }
    JniTableNatives.stopCounting(environment.handle(), handle);
    keep();
  }

  /**
   * What it counts.
   *
   * @return for example {@code "JniCallCounter[GET_VERSION, FIND_CLASS]"}
   */
  @Override
  public String toString() {
    return "JniCallCounter" + functions;
  }

  private long[] counts() {
    long[] counts = last.get();
    if (counts != null) {
      return counts;
    }
    try {
      return read();
    } catch (IllegalStateException closed) {
      long[] kept = last.get();
      if (kept == null) {
        throw closed;
      }
      return kept;
    }
  }

  private long[] read() {
    long[] counts = JniTableNatives.calls(environment.handle(), handle);
    keep();
    return counts;
  }

  /** Until here neither this counter nor its environment is closed for being unreachable. */
  @SuppressWarnings("ReachabilityFenceUsage") // Not in a finally: who fails has been answered too.
  private void keep() {
    Reference.reachabilityFence(this);
    environment.keep();
  }
}
