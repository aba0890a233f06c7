package io.jvmtools.snapshot;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.Events;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;

/**
 * Snapshots: the stack of a thread that comes to a place, and what its variables hold there, kept
 * as values while the thread goes on.
 *
 * <pre>{@code
 * try (Jvmti jvmti = Jvmti.open(CAN_GENERATE_BREAKPOINT_EVENTS, CAN_ACCESS_LOCAL_VARIABLES);
 *     SnapshotPoint expensive =
 *         jvmti
 *             .snapshots()
 *             .at("com.acme.Cart", 42)
 *             .onlyIf(frame -> frame.local("total", int.class) > 100)
 *             .limit(10)
 *             .perSecond(1)
 *             .forEach(System.out::println)) {
 *   serve();
 * }
 * }</pre>
 *
 * <p>Both capabilities can be had only with the agent, {@code
 * -agentpath:…=prepare=can_generate_breakpoint_events+can_access_local_variables}, and slow code
 * down by some percent as long as the JVM runs ({@link Capability#costly()}). Those are not needed
 * that make exceptions and calls much dearer: where a throwable is made there is a breakpoint in
 * its constructors.
 *
 * <p><b>What it costs</b>. Nobody is asked anything while no thread comes by, but a method with a
 * breakpoint is not compiled. To come by costs a thread one or two microseconds, 13 where
 * throwables are made, about 35 if the condition reads a variable there, and a hundred for a
 * snapshot; in a stack of a thousand frames a millisecond, for the JVM goes through all of them for
 * each variable. Each is read at a safepoint of its own, for which all threads stop, shortly;
 * nobody is kept while the snapshot is taken, and the thread itself waits for nobody: who gets the
 * snapshots is called by a thread of the library. When there have been as many as were asked for,
 * the breakpoints go, and with them all of the costs.
 *
 * <p><b>For long</b>. Without {@link SnapshotPlan#limit} a point takes a hundred, ten in a second
 * at most, and then no more. Only one environment of a JVM can hold the capability for breakpoints,
 * also of other agents' such as a debugger. A point and its environment keep each other, and nobody
 * else keeps them: forgotten together they end when they are collected. As long as it is there the
 * JVM keeps the classes loaded that have the place.
 */
public final class Snapshots {

  static {
    Makers.register(
        Snapshots.class,
        new Maker<Events, Snapshots>() {
          @Override
          public Snapshots make(Events events) {
            return new Snapshots(events);
          }
        });
  }

  private final Events events;

  Snapshots(Events events) {
    this.events = events;
  }

  /**
   * Snapshots when a thread comes to a line.
   *
   * @param className the name of a class, which need not be loaded yet
   * @param line a line of its source
   * @return a plan, in force from {@link SnapshotPlan#forEach} on
   * @throws IllegalArgumentException if the line is not positive
   * @see CodePlace#line
   */
  public SnapshotPlan at(String className, int line) {
    return at(CodePlace.line(className, line));
  }

  /**
   * Snapshots when a thread enters a method.
   *
   * @param className the name of a class, which need not be loaded yet
   * @param method the name of methods that it declares
   * @return a plan, in force from {@link SnapshotPlan#forEach} on
   * @see CodePlace#entry
   */
  public SnapshotPlan at(String className, String method) {
    return at(CodePlace.entry(className, method));
  }

  /**
   * Snapshots when a thread comes to a place.
   *
   * @param place where; {@link Capability#CAN_GENERATE_BREAKPOINT_EVENTS} is needed there
   * @return a plan, in force from {@link SnapshotPlan#forEach} on
   */
  public SnapshotPlan at(CodePlace place) {
    return new SnapshotPlan(events, requireNonNull(place, "place"), new SnapshotSettings());
  }

  /**
   * Snapshots when a throwable is made, with the variables of who makes it.
   *
   * @param type of which class, or of one that extends it
   * @return a plan, in force from {@link SnapshotPlan#forEach} on
   * @see CodePlace#creation
   */
  public SnapshotPlan onException(Class<? extends Throwable> type) {
    return at(CodePlace.creation(type));
  }

  /**
   * The same for throwables of all classes in a package, and in those below it.
   *
   * @param packageName the name of the package
   * @return a plan, in force from {@link SnapshotPlan#forEach} on
   * @see CodePlace#creationIn
   */
  public SnapshotPlan onExceptionsIn(String packageName) {
    return at(CodePlace.creationIn(packageName));
  }
}
