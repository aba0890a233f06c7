package io.jvmtools.event;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.StalledException;
import io.jvmtools.code.Breakpoint;
import io.jvmtools.code.Classes;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.Rests;
import io.jvmtools.internal.code.BreakpointNatives;
import io.jvmtools.internal.code.Redefinitions;
import io.jvmtools.internal.environment.CapabilityMasks;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.internal.thread.Errand;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * That a listener is told whenever a thread comes to a place in code, until this is closed, or the
 * environment is, or gives up the capability.
 */
public final class PlaceSubscription implements AutoCloseable {

  private static final Maker<Environment, Classes> CLASSES = Makers.of(Classes.class);

  private static final JvmtiError CLASS_NOT_PREPARED = JvmtiError.of(22);
  private static final int ROUNDS = 100;
  private static final long BETWEEN = TimeUnit.MILLISECONDS.toNanos(100);

  private static final AtomicLong LAST = new AtomicLong();

  private static volatile boolean isRehearsed;

  private final Events events;
  private final CodePlace place;
  private final Classes classes;
  private final PlacedBreakpoints breakpoints;
  private final Consumer<? super EventFrame> listener;

  /** A field, for it is known weakly elsewhere. */
  private final Consumer<Set<Class<?>>> redefined = this::areRedefined;

  /** The classes that it looks after: without a lock, for threads are suspended. */
  private final Queue<Class<?>> followed = new ConcurrentLinkedQueue<>();

  private final long number = LAST.incrementAndGet();

  private @Nullable Subscription hits;
  private @Nullable Subscription prepared;
  private @Nullable Subscription files;
  private final boolean mayFollow;
  private volatile boolean closed;

  /** Linked here, and not where something is in the way. */
  private final Errand ending = new Errand(Errand.PLACES, this::endUntilDone);

  PlaceSubscription(Events events, CodePlace place, Consumer<? super EventFrame> listener) {
    this.events = events;
    this.place = place;
    this.listener = listener;
    CapabilityMasks masks = CapabilityMasks.read(events.environment().handle());
    mayFollow = masks.missing(Capability.CAN_RETRANSFORM_CLASSES).isEmpty();
    classes = CLASSES.make(events.environment());
    breakpoints = events.placed();
  }

  /** No other one has it. */
  long number() {
    return number;
  }

  /** Begins to listen; classes that come meanwhile are not missed. */
  void begin() {
    EventFrame.rehearse(events.environment());
    EventFilter here = EventFilter.ANY.classes(place.patterns());
    boolean begun = false;
    try {
      hits = events.on(EventTypes.BREAKPOINT, here, this::hit);
      prepared = events.onAlsoNested(EventTypes.CLASS_PREPARE, here, this::isPrepared);
      if (mayFollow) {
        files = changes(here);
      }
      rehearse();
      Redefinitions.listen(redefined);
      for (Class<?> type : classes.loaded()) {
        setIn(type);
      }
      begun = true;
    } finally {
      if (!begun) {
        close();
      }
    }
  }

  /** Null if another thread has given back meanwhile what that takes. */
  private @Nullable Subscription changes(EventFilter here) {
    try {
      return events.onAlsoNested(EventTypes.CLASS_FILE_LOAD_HOOK, here, this::isAboutToChange);
    } catch (MissingCapabilityException asWithoutIt) {
      return null;
    }
  }

  /** Does once what the first thread does that comes with such a class. */
  private void rehearse() {
    EventType.initialise(Rehearsed.class);
    EventType.initialise(Rests.class);
    wanted(Rehearsed.class);
    if (!isRehearsed) {
      for (JvmMethod method : methods(Rehearsed.class)) {
        if (method.isConstructor()) {
          breakpoints.setIn(Rehearsed.class, Set.of(new Breakpoint(method, 0)), this);
        }
      }
      breakpoints.setIn(Rehearsed.class, Set.of(), this);
      isRehearsed = true;
    }
  }

  /** There is none of it. */
  private static final class Rehearsed {}

  private void setIn(Class<?> type) {
    if (place.mayBeIn(type) && !closed && !isGivenUp()) {
      try {
        Set<Breakpoint> set = null;
        Set<Breakpoint> wanted = wanted(type);
        // Somebody may redefine it meanwhile, and look himself afterwards.
        for (int i = 0; i < ROUNDS && !closed && !wanted.equals(set); i++) {
          breakpoints.setIn(type, wanted, this);
          set = wanted;
          wanted = wanted(type);
        }
      } finally {
        if (closed) {
          clearOrLater();
        }
      }
    }
  }

  private void clearOrLater() {
    try {
      clear();
    } catch (StalledException later) {
      endLater();
    }
  }

  private Set<Breakpoint> wanted(Class<?> type) {
    Set<Breakpoint> wanted = new HashSet<>();
    for (JvmMethod method : methods(type)) {
      for (long location : place.locations(type, method)) {
        wanted.add(new Breakpoint(method, location));
      }
    }
    return wanted;
  }

  /** None of a class that is not linked: that will be told. */
  private List<JvmMethod> methods(Class<?> type) {
    try {
      return classes.methods(type);
    } catch (JvmtiException refused) {
      if (refused.error().equals(CLASS_NOT_PREPARED)) {
        return List.of();
      }
      throw refused;
    }
  }

  /** On the thread that needs the class. */
  private void isPrepared(ClassPrepareEvent event) {
    setInOrFollow(event.type());
  }

  /** On the thread of who has redefined them. */
  private void areRedefined(Set<Class<?>> types) {
    boolean isSet = true;
    for (Class<?> type : types) {
      if (isSet) {
        isSet = setInOrFollow(type);
      } else {
        follow(type);
      }
    }
  }

  /**
   * Whether it is set now, on the application's thread, whose affair it is not if that fails: it is
   * tried again by another one. The thread waits in vain once, however many places there are.
   */
  private boolean setInOrFollow(Class<?> type) {
    boolean isSet = false;
    try {
      if (!breakpoints.isStalledIn(type)) {
        setIn(type);
        isSet = true;
      }
    } catch (RuntimeException | Error failed) {
      // Whoever follows tries it again.
    }
    if (!isSet) {
      follow(type);
    }
    return isSet;
  }

  /**
   * On the thread that redefines it. From before this is told until that is over the library sets
   * no breakpoint there: the JVM would not survive one.
   */
  private void isAboutToChange(ClassFileLoadHookEvent event) {
    Class<?> type = event.classBeingRedefined().orElse(null);
    if (type != null && place.mayBeIn(type)) {
      follow(type);
    }
  }

  private void follow(Class<?> type) {
    if (place.mayBeIn(type)) {
      if (!followed.contains(type)) {
        followed.add(type);
      }
      breakpoints.follower().follow(this);
    }
  }

  /**
   * Whether nothing is left to be done: once somebody has redefined a class the JVM has dropped its
   * breakpoints.
   */
  boolean isSetAgain() {
    for (Class<?> type : List.copyOf(followed)) {
      // Before anybody looks at it: if it begins to change from here on, it is there once more.
      followed.remove(type);
      boolean isDone = false;
      try {
        if (closed || !BreakpointNatives.isChanging(events.environment().handle(), type)) {
          setIn(type);
          isDone = true;
        }
      } finally {
        if (!isDone) {
          followed.add(type);
        }
      }
    }
    return followed.isEmpty();
  }

  private void hit(BreakpointEvent event) {
    if (closed || !breakpoints.isOf(this, new Breakpoint(event.method(), event.location()))) {
      return;
    }
    EventFrame frame = new EventFrame(events.environment(), event.method(), event.location());
    try {
      if (!place.isOfCreation() || frame.isLastConstructor(place)) {
        listener.accept(frame);
      }
    } catch (IllegalStateException thrown) {
      // Whoever closes the environment does not wait for those who are here.
      if (GeneralNatives.isOpen(events.environment().handle())) {
        throw thrown;
      }
    } finally {
      frame.hasReturned();
    }
  }

  /**
   * What was asked for.
   *
   * @return the place
   */
  public CodePlace place() {
    return place;
  }

  /**
   * Where that is in the classes that are there so far.
   *
   * @return an unmodifiable list; empty as long as no such class is linked, where the place has no
   *     code, and once the capability is given up
   */
  public List<Breakpoint> breakpoints() {
    return isGivenUp() ? List.of() : breakpoints.of(this);
  }

  /** Whether the capability is given up, and all its breakpoints are cleared. */
  boolean isGivenUp() {
    try {
      return hits != null && hits.isGivenUp();
    } catch (IllegalStateException environmentIsClosed) {
      return false;
    }
  }

  /**
   * What is done with an exception of the listener, as {@link Subscription#onError}.
   *
   * @param handler is given what was thrown
   * @return this
   */
  public PlaceSubscription onError(Consumer<? super Throwable> handler) {
    if (hits != null) {
      hits.onError(handler);
    }
    return this;
  }

  /**
   * What became of the events at breakpoints of classes of that name, also those elsewhere in them.
   *
   * @return the counts
   * @throws IllegalStateException if the environment is closed, and this is not
   */
  public EventCounts counts() {
    return hits == null ? new EventCounts(0, 0, 0, 0, 0) : hits.counts();
  }

  /**
   * Has the listener told no more, and clears the breakpoints unless somebody else has set them or
   * listens there, too. Closing from within the listener is fine; closing again does nothing.
   *
   * @throws StalledException if the thread of the library that does it does not answer, or another
   *     thread, which may be suspended, keeps on giving a class another class file for five
   *     seconds; it will be done all the same, by a thread of the library
   */
  @Override
  public void close() {
    closed = true;
    try {
      end();
    } catch (StalledException later) {
      endLater();
      throw later;
    }
  }

  /** Up to what has to be waited for too long: the listener is told no more anyhow. */
  private void end() {
    clear();
    for (Subscription one : new Subscription[] {hits, prepared, files}) {
      if (one != null) {
        one.close();
      }
    }
  }

  private void endLater() {
    ending.ask();
  }

  private void clear() {
    try {
      breakpoints.clear(this);
    } catch (StalledException later) {
      throw later;
    } catch (IllegalStateException environmentIsClosed) {
      // And the breakpoints are cleared with it.
    }
  }

  private void endUntilDone() {
    boolean isDone = false;
    while (!isDone) {
      Rests.forNanos(BETWEEN);
      try {
        end();
        isDone = true;
      } catch (StalledException still) {
        // That has taken seconds.
      }
    }
  }

  /**
   * Where it is for.
   *
   * @return the place
   */
  @Override
  public String toString() {
    return "PlaceSubscription[" + place + "]";
  }
}
