package io.jvmtools.oracle.events;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.code.NativeAddress;
import io.jvmtools.event.EventCounts;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventType;
import io.jvmtools.event.EventTypes;
import io.jvmtools.event.Subscription;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The library. */
public class OurRecorder implements Recorder {

  private final List<String> told = new CopyOnWriteArrayList<>();
  private Jvmti jvmti;
  private Subscription subscription;

  /** The kinds of events that listeners can be told of, by name. */
  static Map<String, EventType<?>> kinds() {
    Map<String, EventType<?>> kinds = new TreeMap<>();
    for (Field field : EventTypes.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers())
          && EventType.class.isAssignableFrom(field.getType())) {
        EventType<?> type = (EventType<?>) value(field);
        kinds.put(type.name(), type);
      }
    }
    return kinds;
  }

  private static Object value(Field field) {
    try {
      return field.get(null);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void begin(KindOfEvent event, Thread actor) {
    jvmti = Jvmti.open();
    if (!event.requires().isEmpty()) {
      jvmti.add(Capability.valueOf(event.requires().toUpperCase(Locale.ROOT)));
    }
    kinds().get(event.name()).capability().ifPresent(jvmti::add);
    EventFilter filter = EventFilter.ANY;
    if (event.byThread()) {
      filter = filter.threads(actor);
    }
    if (event.hasClass()) {
      filter = filter.classes("*" + CLASSES + "*");
    }
    told.clear();
    String name = actor.getName();
    subscription =
        jvmti
            .events()
            .on(
                kinds().get(event.name()),
                filter,
                one -> {
                  if (Thread.currentThread().getName().equals(name)) {
                    tell(one);
                  }
                });
  }

  final Jvmti jvmti() {
    return jvmti;
  }

  /** Keeps what is told. */
  void tell(Object event) {
    told.add(text(event));
  }

  @Override
  public List<String> end() {
    subscription.close();
    EventCounts counts = subscription.counts();
    jvmti.close();
    if (counts.failed() + counts.lost() > 0) {
      told.add(counts.toString());
    }
    return List.copyOf(told);
  }

  @Override
  public void notifyFramePop(int depth) {
    jvmti.frames().notifyPop(Thread.currentThread(), depth + 1);
  }

  @Override
  public void setBreakpoint(Method method) {
    jvmti.breakpoints().set(JvmMethod.of(method), 0);
  }

  @Override
  public void watchReads(Field field) {
    jvmti.watches().setReads(JvmField.of(field));
  }

  @Override
  public void watchWrites(Field field) {
    jvmti.watches().setWrites(JvmField.of(field));
  }

  private static String text(Object event) {
    StringBuilder text = new StringBuilder();
    for (RecordComponent component : event.getClass().getRecordComponents()) {
      try {
        text.append(text.isEmpty() ? "" : " ")
            .append(described(component.getAccessor().invoke(event)));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return text.toString();
  }

  /** As {@code events.cpp} describes it. */
  private static String described(Object value) {
    if (value instanceof Thread thread) {
      return thread.getName();
    }
    if (value instanceof Class<?> type) {
      return type.descriptorString();
    }
    if (value instanceof JvmMethod method) {
      return method.declaringClass().orElseThrow().descriptorString()
          + method.name()
          + method.signature();
    }
    if (value instanceof JvmField field) {
      return field.declaringClass().orElseThrow().descriptorString()
          + field.name()
          + field.signature();
    }
    if (value instanceof byte[] bytes) {
      return bytes.length + " bytes";
    }
    if (value instanceof NativeAddress address) {
      return VmRecorder.symbol(address.value());
    }
    if (value instanceof Float single) {
      return "float " + Float.floatToRawIntBits(single);
    }
    if (value instanceof Double twice) {
      return "double " + Double.doubleToRawLongBits(twice);
    }
    if (value instanceof Character letter) {
      return "char " + (int) letter;
    }
    if (value instanceof Duration timeout) {
      return String.valueOf(timeout.toMillis());
    }
    if (value instanceof String || value instanceof Set) {
      return value.toString();
    }
    if (value instanceof Optional<?> any) {
      return any.map(OurRecorder::described).orElse("none");
    }
    if (value instanceof Number || value instanceof Boolean) {
      return value.toString();
    }
    return "a " + value.getClass().descriptorString();
  }
}
