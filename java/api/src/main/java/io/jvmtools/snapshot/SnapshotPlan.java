package io.jvmtools.snapshot;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.StalledException;
import io.jvmtools.event.CodePlace;
import io.jvmtools.event.EventFrame;
import io.jvmtools.event.Events;
import io.jvmtools.internal.Lists;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.event.EnvironmentOfEvents;
import io.jvmtools.internal.failure.Failures;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Where snapshots are to be taken, when, and what of. A value: each method makes another one, which
 * differs in one thing.
 */
public final class SnapshotPlan {

  private static final Maker<Events, Environment> ENVIRONMENTS =
      Makers.of(EnvironmentOfEvents.class);

  private final Events events;
  private final CodePlace place;
  private final SnapshotSettings settings;

  SnapshotPlan(Events events, CodePlace place, SnapshotSettings settings) {
    this.events = events;
    this.place = place;
    this.settings = settings;
  }

  /**
   * Only if a condition holds. It is asked on the thread that has come there, which waits for it,
   * whenever there may be one more snapshot; if it throws, there is none. How often it is asked
   * nothing limits, so it is none for a line that runs a million times in a second.
   *
   * @param condition is given the frame that has come there; where a throwable is made that is one
   *     of its constructors, and {@code "this"} the throwable
   * @return a plan with that condition in place of any other
   */
  public SnapshotPlan onlyIf(Predicate<? super EventFrame> condition) {
    SnapshotSettings changed = settings.copy();
    changed.condition = requireNonNull(condition, "condition");
    return with(changed);
  }

  /**
   * No more than so many at all; without this 100. After the last one the breakpoints are gone.
   *
   * @param most how many
   * @return a plan with that limit
   * @throws IllegalArgumentException if it is not positive
   */
  public SnapshotPlan limit(long most) {
    SnapshotSettings changed = settings.copy();
    requirePositive("most", most);
    changed.limit = most;
    return with(changed);
  }

  /**
   * No more than so many in a second; without this ten.
   *
   * @param most how many
   * @return a plan with that rate
   * @throws IllegalArgumentException if it is not positive
   */
  public SnapshotPlan perSecond(int most) {
    SnapshotSettings changed = settings.copy();
    requirePositive("most", most);
    changed.perSecond = most;
    return with(changed);
  }

  /**
   * Keeps so many frames of the stack; without this 64.
   *
   * @param most how many, from the innermost one on
   * @return a plan with that depth
   * @throws IllegalArgumentException if it is not positive
   */
  public SnapshotPlan frames(int most) {
    SnapshotSettings changed = settings.copy();
    requirePositive("most", most);
    changed.frames = most;
    return with(changed);
  }

  /**
   * Keeps the variables of the frames of some packages, and of those below them, too; without this
   * only those of the innermost frame, or, where a throwable is made, of who makes it.
   *
   * @param packages their names, for example {@code "com.acme"}
   * @return a plan with those in place of others
   * @throws IllegalArgumentException if one is no name, such as {@code "com.acme.*"}
   */
  public SnapshotPlan keepFramesOf(String... packages) {
    SnapshotSettings changed = settings.copy();
    changed.packages =
        List.of(Lists.requireNoneNull(requireNonNull(packages, "packages").clone(), "packages"));
    for (String one : changed.packages) {
      if (one.endsWith(".") || one.endsWith("*")) {
        throw new IllegalArgumentException("packages has no name of one in it: " + one);
      }
    }
    return with(changed);
  }

  /**
   * Looks so far into objects; without this the fields of those that variables hold, or the
   * elements of arrays and collections, 20 of each (a depth of 1). Collections are those of the JDK
   * that can be looked through without a lock, such as {@link java.util.ArrayList}, {@link
   * java.util.HashMap} and {@link java.util.List#of()}; of others the fields are shown.
   *
   * @param depth how far; with 0 not at all
   * @return a plan with that depth
   * @throws IllegalArgumentException if it is negative
   */
  public SnapshotPlan objectDepth(int depth) {
    SnapshotSettings changed = settings.copy();
    changed.objectDepth = requireNotNegative("depth", depth);
    return with(changed);
  }

  /**
   * Keeps so many values, fields and elements among them; without this 1,000.
   *
   * @param most how many in a snapshot
   * @return a plan with that size
   * @throws IllegalArgumentException if it is negative
   */
  public SnapshotPlan values(int most) {
    SnapshotSettings changed = settings.copy();
    changed.values = requireNotNegative("most", most);
    return with(changed);
  }

  /**
   * Keeps so many characters of a text; without this 200.
   *
   * @param most how many of each
   * @return a plan with that size
   * @throws IllegalArgumentException if it is negative
   */
  public SnapshotPlan characters(int most) {
    SnapshotSettings changed = settings.copy();
    changed.characters = requireNotNegative("most", most);
    return with(changed);
  }

  /**
   * What gets the exceptions of the condition and of who gets the snapshots; without this they are
   * but counted.
   *
   * @param handler is called by the thread that hands over snapshots
   * @return a plan with that handler
   */
  public SnapshotPlan onError(Consumer<? super Throwable> handler) {
    SnapshotSettings changed = settings.copy();
    changed.onError = requireNonNull(handler, "handler");
    return with(changed);
  }

  /**
   * Puts the plan into force. Needs {@link Capability#CAN_GENERATE_BREAKPOINT_EVENTS} and {@link
   * Capability#CAN_ACCESS_LOCAL_VARIABLES}.
   *
   * @param consumer is given each snapshot, one after the other, by a daemon thread of the library
   * @return what ends it
   * @throws MissingCapabilityException if the environment does not hold both
   * @throws StalledException if the thread of the library that does it does not answer, or another
   *     thread, which may be suspended, keeps on giving a class another class file
   * @throws IllegalStateException if the environment is closed
   * @see Events#at
   */
  public SnapshotPoint forEach(Consumer<? super Snapshot> consumer) {
    requireNonNull(consumer, "consumer");
    Environment environment = ENVIRONMENTS.make(events);
    Capability locals = Capability.CAN_ACCESS_LOCAL_VARIABLES;
    Failures.requireHeld("GetLocalObject", locals, environment.handle());
    return SnapshotPoint.begin(events, environment, place, settings, consumer);
  }

  private SnapshotPlan with(SnapshotSettings other) {
    return new SnapshotPlan(events, place, other);
  }

  private static int requireNotNegative(String name, int number) {
    if (number < 0) {
      throw new IllegalArgumentException(name + " must not be negative: " + number);
    }
    return number;
  }

  private static void requirePositive(String name, long number) {
    if (number <= 0) {
      throw new IllegalArgumentException(name + " must be positive: " + number);
    }
  }

  /**
   * Where it is for.
   *
   * @return the place
   */
  @Override
  public String toString() {
    return "SnapshotPlan[" + place + "]";
  }
}
