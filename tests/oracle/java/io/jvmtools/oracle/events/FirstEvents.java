package io.jvmtools.oracle.events;

import io.jvmtools.Capability;
import io.jvmtools.JvmTools;
import io.jvmtools.Jvmti;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventType;
import io.jvmtools.event.Subscription;
import io.jvmtools.support.LibraryCopy;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Which classes of the library are loaded from when a listener of some kind is there until the
 * first event has been told: a copy of the library for each kind.
 */
public final class FirstEvents implements Recorder, Function<String, List<String>> {

  private final Jvmti jvmti = Jvmti.open();
  private Subscription subscription;
  private Set<String> known;

  /** Prints a line for each kind. */
  public static void main(String[] args) throws Exception {
    for (KindOfEvent event : EventsPlayed.kinds()) {
      System.out.println("EVENT " + event.name() + " " + inACopy(event.name()));
    }
  }

  @SuppressWarnings({"unchecked", "resource"}) // What is loaded is listed by its loader.
  private static List<String> inACopy(String name) throws ReflectiveOperationException {
    Class<?> copied = new LibraryCopy().loadClass(FirstEvents.class.getName());
    return ((Function<String, List<String>>) copied.getDeclaredConstructor().newInstance())
        .apply(name);
  }

  @Override
  public List<String> apply(String name) {
    try {
      return EventsPlayed.play(
          EventsPlayed.kinds().stream()
              .filter(event -> event.name().equals(name))
              .findFirst()
              .orElseThrow(),
          this);
    } catch (Exception e) {
      throw new IllegalStateException(name, e);
    }
  }

  @Override
  public void begin(KindOfEvent event, Thread actor) {
    if (!event.requires().isEmpty()) {
      jvmti.add(Capability.valueOf(event.requires().toUpperCase(Locale.ROOT)));
    }
    EventType<?> type = OurRecorder.kinds().get(event.name());
    type.capability().ifPresent(jvmti::add);
    EventFilter filter = EventFilter.ANY;
    filter = event.byThread() ? filter.threads(actor) : filter;
    filter = event.hasClass() ? filter.classes("*" + CLASSES + "*") : filter;
    subscription = jvmti.events().on(type, one -> {}, filter);
    // What this and the scenes need themselves is there the second time.
    JvmTools.getCurrentContendedMonitor(Thread.currentThread());
    loaded();
    known = loaded();
  }

  @Override
  public List<String> end() {
    Set<String> loaded = loaded();
    loaded.removeAll(known);
    subscription.close();
    if (subscription.counts().delivered() == 0) {
      throw new IllegalStateException("none was told");
    }
    jvmti.close();
    return loaded.stream().sorted().toList();
  }

  private Set<String> loaded() {
    return jvmti.classes().loaded().stream()
        .filter(type -> type.getClassLoader() == getClass().getClassLoader())
        .map(Class::getTypeName)
        .filter(name -> !name.startsWith("io.jvmtools.oracle") && !name.contains(".support."))
        .collect(Collectors.toCollection(HashSet::new));
  }

  @Override
  public void notifyFramePop(int depth) {
    jvmti.frames().notifyPop(Thread.currentThread(), depth + 1);
    known = loaded();
  }

  @Override
  public void setBreakpoint(Method method) {
    jvmti.breakpoints().set(JvmMethod.of(method), 0);
    known = loaded();
  }

  @Override
  public void watchReads(Field field) {
    jvmti.watches().setReads(JvmField.of(field));
    known = loaded();
  }

  @Override
  public void watchWrites(Field field) {
    jvmti.watches().setWrites(JvmField.of(field));
    known = loaded();
  }
}
