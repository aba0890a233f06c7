package io.jvmtools.benches;

import static io.jvmtools.event.EventTypes.CLASS_FILE_LOAD_HOOK;
import static io.jvmtools.event.EventTypes.CLASS_LOAD;
import static io.jvmtools.event.EventTypes.CLASS_PREPARE;
import static io.jvmtools.event.EventTypes.COMPILED_METHOD_LOAD;
import static io.jvmtools.event.EventTypes.DYNAMIC_CODE_GENERATED;
import static io.jvmtools.event.EventTypes.GARBAGE_COLLECTION_FINISH;
import static io.jvmtools.event.EventTypes.GARBAGE_COLLECTION_START;
import static io.jvmtools.event.EventTypes.MONITOR_CONTENDED_ENTER;
import static io.jvmtools.event.EventTypes.MONITOR_CONTENDED_ENTERED;
import static io.jvmtools.event.EventTypes.MONITOR_WAIT;
import static io.jvmtools.event.EventTypes.MONITOR_WAITED;
import static io.jvmtools.event.EventTypes.NATIVE_METHOD_BIND;
import static io.jvmtools.event.EventTypes.OBJECT_FREE;
import static io.jvmtools.event.EventTypes.SAMPLED_OBJECT_ALLOC;
import static io.jvmtools.event.EventTypes.THREAD_END;
import static io.jvmtools.event.EventTypes.THREAD_START;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.NotSupportedException;
import io.jvmtools.event.EventCounts;
import io.jvmtools.event.EventType;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.Subscription;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A listener of every kind of event that this JVM has and whose capability is not costly. */
final class Listening implements AutoCloseable {

  private static final int TAGGED = 1_000;
  private static final int COLLECTIONS = 100;

  /** What happens in each run of the database. */
  private static final List<EventType<?>> HAPPEN =
      List.of(
          THREAD_START,
          THREAD_END,
          CLASS_FILE_LOAD_HOOK,
          CLASS_LOAD,
          CLASS_PREPARE,
          NATIVE_METHOD_BIND,
          COMPILED_METHOD_LOAD,
          DYNAMIC_CODE_GENERATED,
          MONITOR_WAIT,
          MONITOR_WAITED,
          MONITOR_CONTENDED_ENTER,
          MONITOR_CONTENDED_ENTERED,
          GARBAGE_COLLECTION_START,
          GARBAGE_COLLECTION_FINISH,
          OBJECT_FREE,
          SAMPLED_OBJECT_ALLOC);

  private final Jvmti jvmti;
  private final Map<EventType<?>, Subscription> listeners = new LinkedHashMap<>();

  /** Listens to all that there are but some. */
  Listening(Set<EventType<?>> without) throws IllegalAccessException {
    Set<Capability> obtainable;
    try (Jvmti none = Jvmti.open()) {
      obtainable = none.capabilities().obtainable();
    }
    List<EventType<?>> kinds = new ArrayList<>();
    Set<Capability> held = EnumSet.of(Capability.CAN_TAG_OBJECTS);
    for (Field field : EventTypes.class.getFields()) {
      if (field.get(null) instanceof EventType<?> kind
          && !without.contains(kind)
          && kind.capability().map(one -> obtainable.contains(one) && !one.costly()).orElse(true)) {
        kinds.add(kind);
        kind.capability().ifPresent(held::add);
      }
    }
    jvmti = Jvmti.open(held);
    kinds.forEach(this::listen);
    for (int i = 1; i <= TAGGED; i++) {
      jvmti.objects().setTag(new Object(), i);
    }
  }

  private void listen(EventType<?> kind) {
    try {
      listeners.put(kind, jvmti.events().on(kind, event -> {}));
    } catch (NotSupportedException unknown) {
      // One of HotSpot's own, of a later JDK.
    }
  }

  /** Checks that all was told, or counted as lost, and says how much there was. */
  String told(int startedThreads) {
    for (int i = 0; i < COLLECTIONS && counted(OBJECT_FREE) < TAGGED; i++) {
      System.gc();
      jvmti.events().flush();
    }
    demand("tagged objects", counted(OBJECT_FREE) == TAGGED);
    demand("threads that start", counted(THREAD_START) >= startedThreads);
    demand("threads that end", counted(THREAD_END) >= startedThreads);
    for (EventType<?> kind : HAPPEN) {
      demand(kind.name(), counts(kind).delivered() > 0);
    }
    long lost = 0;
    for (EventType<?> kind : listeners.keySet()) {
      demand(kind.name() + " without failure", counts(kind).failed() == 0);
      lost += counts(kind).lost();
    }
    return listeners.size()
        + " kinds, lost "
        + lost
        + "; told "
        + listeners.keySet().stream()
            .filter(kind -> counts(kind).delivered() > 0)
            .map(kind -> kind.name() + " " + counts(kind).delivered())
            .collect(Collectors.joining(", "));
  }

  private EventCounts counts(EventType<?> kind) {
    return listeners.get(kind).counts();
  }

  private long counted(EventType<?> kind) {
    return counts(kind).delivered() + counts(kind).lost();
  }

  private void demand(String what, boolean isSo) {
    if (!isSo) {
      throw new IllegalStateException(what + " not told: " + listeners.values());
    }
  }

  @Override
  public void close() {
    jvmti.close();
  }
}
