package io.jvmtools.event;

import io.jvmtools.JvmtiError;
import io.jvmtools.JvmtiException;
import io.jvmtools.MemberUnavailableException;
import io.jvmtools.StalledException;
import io.jvmtools.code.Breakpoint;
import io.jvmtools.code.Breakpoints;
import io.jvmtools.code.Classes;
import io.jvmtools.code.JvmMethod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The breakpoints that stand for a place, in each class that has it. A map that is replaced as a
 * whole, and no lock: threads are suspended.
 */
final class PlacedBreakpoints {

  private static final JvmtiError CLASS_NOT_PREPARED = JvmtiError.of(22);
  private static final JvmtiError NO_INSTRUCTION = JvmtiError.of(24);
  private static final JvmtiError DUPLICATE = JvmtiError.of(40);
  private static final JvmtiError NOT_FOUND = JvmtiError.of(41);

  private final CodePlace place;
  private final Classes classes;
  private final Breakpoints breakpoints;

  /** Each with whether it is ours to clear: who finds one there already leaves it. */
  private final AtomicReference<Map<Breakpoint, Boolean>> set = new AtomicReference<>(Map.of());

  PlacedBreakpoints(CodePlace place, Classes classes, Breakpoints breakpoints) {
    this.place = place;
    this.classes = classes;
    this.breakpoints = breakpoints;
  }

  boolean contain(JvmMethod method, long location) {
    return set.get().containsKey(new Breakpoint(method, location));
  }

  List<Breakpoint> all() {
    return List.copyOf(set.get().keySet());
  }

  /** Sets those in a class, also after its code has changed. */
  void setIn(Class<?> type) {
    Map<Breakpoint, Boolean> wanted = new HashMap<>();
    for (JvmMethod method : methods(type)) {
      for (long location : place.locations(type, method)) {
        wanted.put(new Breakpoint(method, location), false);
      }
    }
    for (Map.Entry<Breakpoint, Boolean> one : set.get().entrySet()) {
      Class<?> declaring = one.getKey().method().declaringClass().orElse(null);
      if (declaring == null) {
        change(one.getKey(), null);
      } else if (declaring == type && !wanted.containsKey(one.getKey())) {
        remove(one.getKey());
      }
    }
    for (Breakpoint one : wanted.keySet()) {
      add(one);
    }
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

  /** Known before it is set, so that nobody comes by unseen, and whoever clears it can see. */
  private void add(Breakpoint one) {
    isKnown(one);
    try {
      breakpoints.set(one.method(), one.location());
      change(one, true);
    } catch (MemberUnavailableException gone) {
      change(one, null);
    } catch (JvmtiException refused) {
      if (refused.error().equals(DUPLICATE)) {
        // It is ours already, or somebody else's.
        return;
      }
      change(one, null);
      if (!refused.error().equals(NO_INSTRUCTION)) {
        throw refused;
      }
    }
  }

  private void isKnown(Breakpoint one) {
    Map<Breakpoint, Boolean> before = set.get();
    while (!before.containsKey(one)) {
      Map<Breakpoint, Boolean> after = new HashMap<>(before);
      after.put(one, false);
      set.compareAndSet(before, after);
      before = set.get();
    }
  }

  /** Clears what is ours, unless one of the others takes it over. */
  void clear(List<PlacedBreakpoints> others) {
    for (Map.Entry<Breakpoint, Boolean> one : set.get().entrySet()) {
      boolean isTaken = false;
      for (PlacedBreakpoints other : others) {
        isTaken = isTaken || (one.getValue() && other.take(one.getKey()));
      }
      if (isTaken) {
        change(one.getKey(), null);
      } else {
        remove(one.getKey());
        for (PlacedBreakpoints other : others) {
          other.addIfKnown(one.getKey());
        }
      }
    }
  }

  /** Who has found it there sets it, for it may have been cleared at that moment. */
  private void addIfKnown(Breakpoint one) {
    if (set.get().containsKey(one)) {
      add(one);
    }
  }

  private boolean take(Breakpoint one) {
    Map<Breakpoint, Boolean> before = set.get();
    while (Boolean.FALSE.equals(before.get(one))) {
      Map<Breakpoint, Boolean> after = new HashMap<>(before);
      after.put(one, true);
      if (set.compareAndSet(before, after)) {
        return true;
      }
      before = set.get();
    }
    return false;
  }

  private void remove(Breakpoint one) {
    if (Boolean.TRUE.equals(change(one, null))) {
      try {
        breakpoints.clear(one.method(), one.location());
      } catch (MemberUnavailableException gone) {
        // With its class.
      } catch (StalledException later) {
        // Whoever closes once more clears it then.
        change(one, true);
        throw later;
      } catch (JvmtiException refused) {
        if (!refused.error().equals(NOT_FOUND) && !refused.error().equals(NO_INSTRUCTION)) {
          throw refused;
        }
      }
    }
  }

  /** What it was before; null for none. */
  private @Nullable Boolean change(Breakpoint one, @Nullable Boolean isOurs) {
    Map<Breakpoint, Boolean> before;
    Map<Breakpoint, Boolean> after;
    do {
      before = set.get();
      after = new HashMap<>(before);
      if (isOurs == null) {
        after.remove(one);
      } else {
        after.put(one, isOurs);
      }
    } while (!set.compareAndSet(before, after));
    return before.get(one);
  }
}
