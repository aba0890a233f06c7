package io.jvmtools.oracle.events;

import io.jvmtools.Capability;
import io.jvmtools.Jvmti;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.event.EventFilter;
import io.jvmtools.event.EventType;
import io.jvmtools.event.Subscription;
import io.jvmtools.support.LibraryCopy;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Function;

/**
 * Which names the library's class loader is asked for by who is told of the first event of a kind:
 * a copy of the library for each.
 */
public final class FirstEvents implements Recorder, Function<String, List<String>> {

  private final Jvmti jvmti = Jvmti.open();
  private Subscription subscription;

  /** Prints a line for each kind. */
  public static void main(String[] args) throws ReflectiveOperationException {
    for (KindOfEvent event : EventsPlayed.kinds()) {
      Asked copy = new Asked();
      Class<?> copied = copy.loadClass(FirstEvents.class.getName());
      play(copied.getDeclaredConstructor().newInstance(), event.name());
      System.out.println("EVENT " + event.name() + " " + new TreeSet<>(copy.names));
    }
  }

  @SuppressWarnings("unchecked") // It is this class.
  private static void play(Object copied, String event) {
    ((Function<String, List<String>>) copied).apply(event);
  }

  /** Keeps what it is asked for by who is told. */
  private static final class Asked extends LibraryCopy {

    private final Set<String> names = new ConcurrentSkipListSet<>();

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (isTold()) {
        names.add(name);
      }
      return super.loadClass(name, resolve);
    }

    /** Not whoever begins to listen, and initialises what tells. */
    private static boolean isTold() {
      return StackWalker.getInstance()
          .walk(
              frames ->
                  frames
                      .filter(frame -> frame.getClassName().equals("io.jvmtools.event.Upcalls"))
                      .reduce((inner, outer) -> outer))
          .filter(frame -> !frame.getMethodName().equals("<clinit>"))
          .isPresent();
    }
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
  }

  @Override
  public List<String> end() {
    subscription.close();
    if (subscription.counts().delivered() == 0) {
      throw new IllegalStateException("none was told");
    }
    jvmti.close();
    return List.of();
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
}
