package io.jvmtools.event;

import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.MemberUnavailableException;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.StalledException;
import io.jvmtools.code.Breakpoint;
import io.jvmtools.code.Breakpoints;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.Rests;
import io.jvmtools.internal.environment.Environment;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The breakpoints that stand for an environment's places, and who listens there: each is set for
 * the first and cleared with the last. A map that is replaced as a whole, and no lock: threads are
 * suspended.
 */
final class PlacedBreakpoints {

  private static final Maker<Environment, Breakpoints> BREAKPOINTS = Makers.of(Breakpoints.class);

  private static final JvmtiError NO_INSTRUCTION = JvmtiError.of(24);
  private static final JvmtiError DUPLICATE = JvmtiError.of(40);
  private static final JvmtiError NOT_FOUND = JvmtiError.of(41);

  private static final WeakReference<Class<?>> NOWHERE = new WeakReference<>(null);

  private static final long PATIENCE = TimeUnit.SECONDS.toNanos(5);
  private static final long BETWEEN = TimeUnit.MICROSECONDS.toNanos(100);

  private enum State {
    /** Known before it is set, so that nobody comes by unseen. */
    SETTING,
    OURS,
    /** Somebody else has set it, whose it is to clear. */
    OF_OTHERS,
    /** By one thread, with nobody listening; who wants it waits until it is gone. */
    CLEARING
  }

  private record Placed(State state, Set<PlaceSubscription> listeners) {

    Placed {
      listeners = Set.copyOf(listeners);
    }

    // What a record gets by itself would keep our class loader before JDK 19 (JDK-8078641).
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Placed that
          && state == that.state
          && listeners.equals(that.listeners);
    }

    @Override
    public int hashCode() {
      return 31 * state.hashCode() + listeners.hashCode();
    }

    Placed in(State now) {
      return new Placed(now, listeners);
    }

    /** Those whose capability was given up, and is there again, are told no more. */
    Placed with(PlaceSubscription one) {
      Set<PlaceSubscription> all = new HashSet<>();
      for (PlaceSubscription listener : listeners) {
        if (!listener.isGivenUp()) {
          all.add(listener);
        }
      }
      all.add(one);
      return new Placed(state, all);
    }

    Placed without(PlaceSubscription one) {
      Set<PlaceSubscription> all = new HashSet<>(listeners);
      all.remove(one);
      return new Placed(state, all);
    }

    /** What becomes of it if nobody listens there any more. Whoever sets it looks afterwards. */
    @Nullable Placed ifUsed() {
      if (!listeners.isEmpty() || state == State.SETTING) {
        return this;
      }
      return state == State.OURS ? in(State.CLEARING) : null;
    }
  }

  private final AtomicReference<Map<Breakpoint, Placed>> all = new AtomicReference<>(Map.of());
  private final Breakpoints breakpoints;
  private final PlaceFollower follower = new PlaceFollower();
  private volatile WeakReference<Class<?>> stalledIn = NOWHERE;

  PlacedBreakpoints(Environment environment) {
    breakpoints = BREAKPOINTS.make(environment);
  }

  /** Who has them set again once another agent has changed a class. */
  PlaceFollower follower() {
    return follower;
  }

  boolean isOf(PlaceSubscription one, Breakpoint at) {
    Placed placed = all.get().get(at);
    return placed != null && placed.listeners.contains(one);
  }

  List<Breakpoint> of(PlaceSubscription one) {
    return all.get().entrySet().stream()
        .filter(placed -> placed.getValue().listeners.contains(one))
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Whether somebody has last waited in vain for setting or clearing in that class: who must not
   * wait leaves it to a thread of the library, until that gets through.
   */
  boolean isStalledIn(Class<?> type) {
    return stalledIn.refersTo(type);
  }

  /** Sets those that are wanted in a class, also after its code has changed, and clears others. */
  void setIn(Class<?> type, Set<Breakpoint> wanted, PlaceSubscription one) {
    try {
      change(type, wanted, one);
      if (isStalledIn(type)) {
        stalledIn = NOWHERE;
      }
    } catch (StalledException stalled) {
      stalledIn = new WeakReference<>(type);
      throw stalled;
    }
  }

  private void change(Class<?> type, Set<Breakpoint> wanted, PlaceSubscription one) {
    for (Breakpoint at : of(one)) {
      Class<?> declaring = at.method().declaringClass().orElse(null);
      if (declaring == null || (declaring == type && !wanted.contains(at))) {
        remove(at, one);
      }
    }
    for (Breakpoint at : wanted) {
      add(at, one);
    }
  }

  /** Clears those that nobody else listens at, up to one that has to be waited for too long. */
  void clear(PlaceSubscription one) {
    boolean areCleared = one.isGivenUp();
    for (Breakpoint at : of(one)) {
      if (areCleared) {
        forget(at, one);
      } else {
        remove(at, one);
      }
    }
  }

  private void forget(Breakpoint at, PlaceSubscription one) {
    Placed before;
    Placed left;
    do {
      before = all.get().get(at);
      if (before == null) {
        return;
      }
      left = before.without(one);
    } while (!replace(at, before, left.listeners.isEmpty() ? null : left));
  }

  private void add(Breakpoint at, PlaceSubscription one) {
    Placed before;
    Placed after;
    do {
      before = cleared(at);
      after = before == null ? new Placed(State.SETTING, Set.of(one)) : before.with(one);
    } while (!replace(at, before, after));
    boolean isSet = false;
    try {
      isSet = isSet(at);
    } finally {
      if (isSet) {
        keep(at, one);
      } else {
        giveUp(at, one);
      }
    }
  }

  /** Whether it was not there before; sets it also where it is thought to be: it may be gone. */
  private boolean isSet(Breakpoint at) {
    try {
      breakpoints.set(at.method(), at.location());
      return true;
    } catch (MemberUnavailableException gone) {
      return false;
    } catch (JvmtiException refused) {
      if (refused.error().equals(DUPLICATE)) {
        isThere(at);
      } else if (!refused.error().equals(NO_INSTRUCTION)) {
        throw refused;
      }
      return false;
    }
  }

  /** Who is setting it at the same moment says so afterwards. */
  private void isThere(Breakpoint at) {
    Placed before = all.get().get(at);
    while (before != null && before.state == State.SETTING) {
      replace(at, before, before.in(State.OF_OTHERS).ifUsed());
      before = all.get().get(at);
    }
  }

  private void keep(Breakpoint at, PlaceSubscription one) {
    Placed before;
    Placed after;
    do {
      before = cleared(at);
      Placed known = before == null ? new Placed(State.OURS, Set.of()) : before.in(State.OURS);
      after = known.ifUsed();
    } while (!replace(at, before, after));
    clearIfBegun(at, after, one);
  }

  private void giveUp(Breakpoint at, PlaceSubscription one) {
    Placed before;
    Placed left;
    do {
      before = all.get().get(at);
      if (before == null || before.state != State.SETTING) {
        return;
      }
      left = before.without(one);
    } while (!replace(at, before, left.listeners.isEmpty() ? null : left));
  }

  private void remove(Breakpoint at, PlaceSubscription one) {
    Placed before;
    Placed after;
    do {
      before = all.get().get(at);
      if (before == null || !before.listeners.contains(one)) {
        return;
      }
      after = before.without(one).ifUsed();
    } while (!replace(at, before, after));
    clearIfBegun(at, after, one);
  }

  private void clearIfBegun(Breakpoint at, @Nullable Placed begun, PlaceSubscription last) {
    if (begun == null || begun.state != State.CLEARING) {
      return;
    }
    Placed after = null;
    try {
      breakpoints.clear(at.method(), at.location());
    } catch (MemberUnavailableException | MissingCapabilityException gone) {
      // With its class, or with the capability.
    } catch (StalledException later) {
      // Whoever closes once more clears it then.
      after = new Placed(State.OURS, Set.of(last));
      throw later;
    } catch (JvmtiException refused) {
      if (!refused.error().equals(NOT_FOUND) && !refused.error().equals(NO_INSTRUCTION)) {
        throw refused;
      }
    } finally {
      replace(at, begun, after);
    }
  }

  /** What there is once nobody clears it. */
  private @Nullable Placed cleared(Breakpoint at) {
    long end = System.nanoTime() + PATIENCE;
    Placed now = all.get().get(at);
    while (now != null && now.state == State.CLEARING) {
      if (System.nanoTime() - end > 0) {
        throw new StalledException("another thread keeps on clearing the breakpoint " + at);
      }
      Rests.forNanos(BETWEEN);
      now = all.get().get(at);
    }
    return now;
  }

  /** Whether it still was {@code before}, and now is {@code after}; null: there is none. */
  private boolean replace(Breakpoint at, @Nullable Placed before, @Nullable Placed after) {
    Map<Breakpoint, Placed> now = all.get();
    while (Objects.equals(now.get(at), before)) {
      Map<Breakpoint, Placed> next = new HashMap<>(now);
      if (after == null) {
        next.remove(at);
      } else {
        next.put(at, after);
      }
      if (all.compareAndSet(now, next)) {
        return true;
      }
      now = all.get();
    }
    return false;
  }
}
