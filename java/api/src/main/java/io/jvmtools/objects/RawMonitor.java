package io.jvmtools.objects;

import static java.util.Objects.requireNonNull;

import io.jvmtools.JvmtiException;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.internal.Bridge;
import io.jvmtools.internal.Nanos;
import io.jvmtools.internal.environment.Bracketed;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.objects.MonitorNatives;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A lock of the JVM that belongs to no object. One thread at a time holds it, as often as it likes,
 * and may wait in it for others.
 *
 * <p>It is held for as long as an action runs, and in no other way: so none is left by a thread
 * that ends or throws, and a virtual thread, which keeps its carrier meanwhile, has it to itself.
 * To the JVM it is the carrier that owns it.
 *
 * <p>To hold it takes as long as other threads hold it, and nothing but those ends this: neither an
 * interrupt, nor closing. A thread that is suspended while it holds it keeps others waiting until
 * it is resumed.
 */
@SuppressWarnings("exports") // Nullness annotations are for compilers that know them.
public final class RawMonitor implements AutoCloseable {

  private final Environment environment;
  private final String name;
  private final long handle;

  RawMonitor(Environment environment, String name) {
    this.environment = environment;
    this.name = name;
    handle = environment.keep(MonitorNatives.createRawMonitor(environment.handle(), this, name));
  }

  /**
   * Runs an action while the calling thread holds this monitor. Who holds it already may do so
   * again. Needs no capability; any phase.
   *
   * <p>There is no bound for the wait: it lasts as long as another thread holds the monitor, also
   * one that is suspended meanwhile. Closing does not end it, but is what its end answers.
   *
   * @param action what to do; whatever it throws is thrown on
   * @param <T> the type of its result
   * @return what it has returned
   * @throws IllegalStateException if this monitor is closed, or was closed while this thread waited
   *     for it, or if the environment is closed; the action does not run then
   */
  @JvmtiFunction({"RawMonitorEnter", "RawMonitorExit"})
  public <T extends @Nullable Object> T hold(Supplier<T> action) {
    requireNonNull(action, "action");
    Bracketed<T> bracketed = new Bracketed<>(new Action<>(action));
    MonitorNatives.rawMonitorEnter(environment.handle(), handle, bracketed);
    keep();
    return bracketed.outcome();
  }

  /**
   * Lets others hold this monitor until one of them signals, and holds it again then, as often as
   * before. Needs no capability; any phase.
   *
   * <p>Which of those who wait a {@link #signal()} is for, is not defined; on HotSpot it is the
   * last to have come. Nobody returns from this without a reason. If this monitor is closed
   * meanwhile, that is seen within half a second, unless somebody holds it: for that each thread
   * that waits holds it for a moment twice a second, so that some thousand of them in one monitor
   * take a part of a processor that can be seen.
   *
   * <p>A virtual thread keeps its carrier while it waits: with as many such threads as there are
   * carriers no virtual one can signal.
   *
   * @param deadline how long to wait at most
   * @return why it has ended
   * @throws JvmtiException with the code 51 if the calling thread does not hold this monitor
   * @throws IllegalArgumentException if the deadline is not positive
   * @throws IllegalStateException if this monitor or the environment is closed, or this monitor was
   *     closed meanwhile
   */
  @JvmtiFunction("RawMonitorWait")
  public WaitEnd await(Duration deadline) {
    long nanos = nanosOf(deadline);
    int end = MonitorNatives.rawMonitorWait(environment.handle(), handle, nanos);
    keep();
    return switch (end) {
      case Bridge.WAIT_SIGNALLED -> WaitEnd.SIGNALLED;
      case Bridge.WAIT_TIMED_OUT -> WaitEnd.TIMED_OUT;
      default -> {
        // For a virtual thread the JVM has taken notice of its carrier's alone.
        Thread.interrupted();
        yield WaitEnd.INTERRUPTED;
      }
    };
  }

  /**
   * Wakes one of the threads that wait, if there is any; it goes on when this thread does not hold
   * the monitor any more. Needs no capability; any phase.
   *
   * @throws JvmtiException with the code 51 if the calling thread does not hold this monitor
   * @throws IllegalStateException if this monitor or the environment is closed
   */
  @JvmtiFunction("RawMonitorNotify")
  public void signal() {
    MonitorNatives.rawMonitorNotify(environment.handle(), handle);
    keep();
  }

  /**
   * Wakes all threads that wait; one after the other they go on when this thread does not hold the
   * monitor any more. Needs no capability; any phase.
   *
   * @throws JvmtiException with the code 51 if the calling thread does not hold this monitor
   * @throws IllegalStateException if this monitor or the environment is closed
   */
  @JvmtiFunction("RawMonitorNotifyAll")
  public void signalAll() {
    MonitorNatives.rawMonitorNotifyAll(environment.handle(), handle);
    keep();
  }

  /**
   * Closes this monitor, whoever holds it or waits for it, and waits for nobody. Closing it again
   * does nothing.
   *
   * <p>An action that holds it goes on. Whoever waits in it, or for it, gets an {@link
   * IllegalStateException} as soon as it is his turn. The JVM destroys it when the last of them has
   * gone.
   */
  @Override
  @JvmtiFunction("DestroyRawMonitor")
  public void close() {
    MonitorNatives.destroyRawMonitor(environment.handle(), handle);
    keep();
  }

  /**
   * What this monitor is called.
   *
   * @return the name that it was made with
   */
  public String name() {
    return name;
  }

  /**
   * What this monitor is called.
   *
   * @return for example {@code "RawMonitor[results]"}
   */
  @Override
  public String toString() {
    return "RawMonitor[" + name + "]";
  }

  /** No lambda: linking one could wait for a suspended thread. */
  private record Action<T extends @Nullable Object>(Supplier<T> action)
      implements Bracketed.Action<T> {

    @Override
    public T run() {
      return action.get();
    }
  }

  /** Until here neither this monitor nor its environment is closed for being unreachable. */
  @SuppressWarnings("ReachabilityFenceUsage") // Not in a finally: who fails has been answered too.
  private void keep() {
    Reference.reachabilityFence(this);
    environment.keep();
  }

  private static long nanosOf(Duration deadline) {
    requireNonNull(deadline, "deadline");
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("deadline must be positive: " + deadline);
    }
    return Nanos.of(deadline);
  }
}
