package io.jvmtools.objects;

import static java.util.Objects.requireNonNull;

import io.jvmtools.JvmtiFunction;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;

/**
 * Raw monitors: locks of the JVM that belong to no object.
 *
 * <pre>{@code
 * try (RawMonitor monitor = jvmti.rawMonitors().create("results")) {
 *   String result = monitor.hold(() -> {
 *     while (results.isEmpty() && monitor.await(Duration.ofSeconds(1)) != WaitEnd.INTERRUPTED) {}
 *     return results.poll();
 *   });
 * }
 * }</pre>
 *
 * <p>No event tells of them, and no list of monitors or locks has them: who holds one, or waits for
 * it, is in native code for the JVM. Nor does the JVM, or a dump, find threads that wait for each
 * other's. Where that does not matter, {@code synchronized} is faster.
 */
public final class RawMonitors {

  static {
    Makers.register(
        RawMonitors.class,
        new Maker<Environment, RawMonitors>() {
          @Override
          public RawMonitors make(Environment environment) {
            return new RawMonitors(environment);
          }
        });
  }

  private final Environment environment;

  RawMonitors(Environment environment) {
    this.environment = environment;
  }

  /**
   * Makes a monitor that nobody owns. It is closed with this environment at the latest, or when it
   * has become unreachable. Needs no capability.
   *
   * @param name what it is called; the JVM has its first 1024 chars
   * @return the monitor; close it
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("CreateRawMonitor")
  public RawMonitor create(String name) {
    return new RawMonitor(environment, requireNonNull(name, "name"));
  }
}
