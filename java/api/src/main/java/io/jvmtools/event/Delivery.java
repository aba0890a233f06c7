package io.jvmtools.event;

import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.MethodIds;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.event.EventNatives;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Hands the events of an environment to its listeners. Keeps no lock: threads are suspended. */
final class Delivery extends Upcalls {

  private final Environment environment;

  /** Whose code is where, while somebody hears where none is any more; of the thread that tells. */
  private volatile @Nullable Map<Long, JvmMethod> compiled;

  private long goneId;
  private Optional<JvmMethod> gone = Optional.empty();
  private final AtomicInteger last = new AtomicInteger();
  private final AtomicReference<Subscription[]> subscriptions =
      new AtomicReference<>(new Subscription[0]);

  Delivery(Environment environment) {
    this.environment = environment;
  }

  @Override
  Optional<JvmMethod> known(long id, long address) {
    Map<Long, JvmMethod> known = compiled;
    JvmMethod method = known == null ? null : known.remove(address);
    if (method != null) {
      Maker<JvmMethod, Long> ids = Makers.of(MethodIds.class);
      goneId = id;
      gone = ids.make(method) == id ? Optional.of(method) : Optional.empty();
    }
    // Several listeners are told one after the other.
    return goneId == id ? gone : Optional.empty();
  }

  @Override
  void tell(int listener, Object event) {
    if (event instanceof CompiledMethodLoadEvent load) {
      remember(load);
    }
    ask(listener, event);
  }

  private void remember(CompiledMethodLoadEvent load) {
    Map<Long, JvmMethod> known = compiled;
    if (!isAnyToldOfUnloads()) {
      known = null;
    } else if (known == null) {
      known = new HashMap<>();
    }
    if (known != null) {
      known.put(load.address().value(), load.method());
    }
    compiled = known;
  }

  private boolean isAnyToldOfUnloads() {
    for (Subscription one : subscriptions.get()) {
      if (one.type() == EventTypes.COMPILED_METHOD_UNLOAD) {
        return true;
      }
    }
    return false;
  }

  @Override
  @Nullable Object ask(int listener, Object event) {
    Subscription[] all = subscriptions.get();
    int place = placeOf(listener, all);
    if (place == all.length || all[place].number() != listener) {
      return null;
    }
    Object answer = all[place].ask(event);
    // What the listener has waited for may have taken what the thread was to go on by.
    LockSupport.unpark(Thread.currentThread());
    return answer;
  }

  /** Where that number is, or would be. */
  private static int placeOf(int number, Subscription[] all) {
    int low = 0;
    int high = all.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (all[middle].number() < number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  int nextNumber() {
    return last.incrementAndGet();
  }

  /** Has it told. It is known here first, so that it misses nothing. */
  void begin(Subscription one, EventFilter filter, int @Nullable [] profile) {
    change(one, true);
    boolean subscribed = false;
    boolean begun = false;
    try {
      EventNatives.subscribe(
          environment.handle(),
          this,
          one.number(),
          one.type().place(),
          filter.threadArray(),
          filter.classArray(),
          filter.patternArray(),
          filter.methodIds(),
          filter.minSize(),
          filter.perSecond(),
          profile,
          one.isNested());
      subscribed = true;
      begun = true;
    } finally {
      if (!begun) {
        change(one, false);
        if (subscribed) {
          EventNatives.unsubscribe(environment.handle(), one.number());
        }
      }
    }
    environment.keep();
  }

  /** Waits until what has been recorded is told. Whoever tells it does not wait for himself. */
  void flush() {
    EventNatives.flush(environment.handle());
    environment.keep();
  }

  /** Has it told no more. */
  void end(Subscription one) {
    change(one, false);
    EventNatives.unsubscribe(environment.handle(), one.number());
    if (!isAnyToldOfUnloads()) {
      compiled = null;
    }
    environment.keep();
  }

  /** Filtered, suppressed, lost; null if it is told no more. */
  long @Nullable [] counts(Subscription one) {
    long[] counts = EventNatives.counts(environment.handle(), one.number());
    environment.keep();
    return counts;
  }

  /** Whether it is told no more, because the environment has given up what it needs. */
  boolean isGivenUp(Subscription one) {
    boolean isGivenUp = EventNatives.isGivenUp(environment.handle(), one.number());
    environment.keep();
    return isGivenUp;
  }

  /** What is counted, all or what is still there; null if it is no more. */
  @Nullable Counted counted(Subscription one, boolean live) {
    long handle = environment.handle();
    int number = one.number();
    // What the first ones name is among the later ones.
    long[] rows = EventNatives.profileRows(handle, number, live);
    long[] frames = EventNatives.profileFrames(handle, number);
    String[] texts = EventNatives.profileTexts(handle, number);
    environment.keep();
    return rows == null || frames == null || texts == null
        ? null
        : new Counted(rows, frames, texts);
  }

  /** By their numbers. No lambda: linking one could wait for a suspended thread. */
  void change(Subscription one, boolean comes) {
    boolean changed = false;
    while (!changed) {
      Subscription[] before = subscriptions.get();
      List<Subscription> after = new ArrayList<>(Arrays.asList(before));
      after.remove(one);
      if (comes) {
        after.add(placeOf(one.number(), after.toArray(new Subscription[0])), one);
      }
      changed = subscriptions.compareAndSet(before, after.toArray(new Subscription[0]));
    }
  }
}
