package io.jvmtools.event;

import io.jvmtools.Capability;
import java.lang.invoke.MethodHandles;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A kind of event, and the type of what its listeners get. {@link EventTypes} has them all.
 *
 * @param <E> the type of its events
 */
public sealed class EventType<E> permits AnswerableEventType {

  /** What an event has that filters look at. */
  enum Trait {
    THREAD,
    CLASS,
    NAME_OF_CLASS,
    METHOD,
    SIZE,
    RECORDED
  }

  private final String name;
  private final Class<E> event;
  private final int place;
  private final @Nullable Capability capability;
  private final Set<Trait> traits;
  private volatile boolean isRehearsed;

  EventType(
      String name, Class<E> event, int place, @Nullable Capability capability, Trait... traits) {
    this.name = name;
    this.event = event;
    this.place = place;
    this.capability = capability;
    this.traits = Set.of(traits);
  }

  /**
   * Its name in the specification.
   *
   * @return for example {@code "MonitorContendedEnter"}
   */
  public final String name() {
    return name;
  }

  /**
   * What its listeners get.
   *
   * @return a record
   */
  public final Class<E> event() {
    return event;
  }

  /**
   * The capability that an environment must hold to be told.
   *
   * @return the capability; empty if it needs none
   */
  public final Optional<Capability> capability() {
    return Optional.ofNullable(capability);
  }

  /**
   * Whether no Java can run when such an event happens. What it says is recorded then, and told by
   * a thread of the library, in the order in which it happened; {@link Events#flush()} waits for
   * that. There is room for 16,384 that are not told yet, 3 MB if it has once been full, and a
   * thread, in each environment; what comes when it is full is counted as lost.
   *
   * @return whether its listeners are told later, by one thread
   */
  public final boolean isRecorded() {
    return has(Trait.RECORDED);
  }

  final boolean isRehearsed() {
    return isRehearsed;
  }

  final void hasBeenRehearsed() {
    isRehearsed = true;
  }

  static void initialise(Class<?> type) {
    try {
      MethodHandles.lookup().ensureInitialized(type);
    } catch (IllegalAccessException notOurs) {
      throw new AssertionError(notOurs);
    }
  }

  /** What native code knows it by. */
  final int place() {
    return place;
  }

  final boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /**
   * Its name.
   *
   * @return the same as {@link #name()}
   */
  @Override
  public final String toString() {
    return name;
  }
}
