package io.jvmtools.oracle.scenes;

import io.jvmtools.oracle.asked.Notes;
import io.jvmtools.oracle.asked.Observer;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.util.stream.Stream;

/** Breakpoints and watched fields: set, cleared, and where they cannot be. */
final class BreakpointScenes implements Scenes {

  private static final String[] NEEDED = {
    "can_generate_breakpoint_events",
    "can_generate_field_access_events",
    "can_generate_field_modification_events"
  };

  private final Notes notes;
  private final Observer.Source source;
  private final Observer observer;

  BreakpointScenes(Notes notes, Observer.Source source) {
    this.notes = notes;
    this.source = source;
    this.observer = source.open(NEEDED);
  }

  /** What is stopped at, and watched. */
  @SuppressWarnings("unused") // Found by reflection.
  private abstract static class Watched {

    static long count;
    Object last;
    final int fixed = 7;

    int add(int number) {
      count += number;
      return number + 1_000_000;
    }

    abstract void nothing();
  }

  @Override
  public void play() {
    Executable add = method(Watched.class, "add");
    if (notes.answer(() -> observer.clearBreakpoint(add, 0)) == null) {
      return; // Java has none of it.
    }
    breakpoints("first", add, 0);
    breakpoints("second", add, 3);
    breakpoints("pastTheLast", add, 1_000);
    breakpoints("negative", add, -1);
    breakpoints("far", add, Long.MAX_VALUE);
    breakpoints("abstract", method(Watched.class, "nothing"), 0);
    breakpoints("native", method(Object.class, "hashCode"), 0);
    breakpoints("ofTheJdk", method(Object.class, "toString"), 0);
    for (String name : new String[] {"count", "last", "fixed"}) {
      watches(name, field(Watched.class, name));
    }
    watches("ofTheJdk", field(Thread.class, "eetop"));
    others(add, field(Watched.class, "last"));
    notes.answer(observer::disposeEnvironment);
  }

  private void breakpoints(String scenario, Executable method, long location) {
    notes.note("ClearBreakpoint." + scenario, () -> observer.clearBreakpoint(method, location));
    notes.note(
        "SetBreakpoint." + scenario,
        () -> observer.setBreakpoint(method, location),
        () -> observer.setBreakpoint(method, location),
        () -> observer.clearBreakpoint(method, location),
        () -> observer.clearBreakpoint(method, location));
  }

  private void watches(String scenario, Field field) {
    notes.note(
        "SetFieldAccessWatch." + scenario,
        () -> observer.setFieldAccessWatch(field),
        () -> observer.setFieldAccessWatch(field),
        () -> observer.clearFieldAccessWatch(field));
    notes.note("ClearFieldAccessWatch." + scenario, () -> observer.clearFieldAccessWatch(field));
    notes.note(
        "SetFieldModificationWatch." + scenario,
        () -> observer.setFieldModificationWatch(field),
        () -> observer.setFieldModificationWatch(field),
        () -> observer.clearFieldAccessWatch(field),
        () -> observer.clearFieldModificationWatch(field));
    notes.note(
        "ClearFieldModificationWatch." + scenario,
        () -> observer.clearFieldModificationWatch(field));
  }

  /** What one environment has set, the next one clears. */
  private void others(Executable method, Field field) {
    Observer bare = source.open();
    notes.note("SetBreakpoint.withoutCapability", () -> bare.setBreakpoint(method, 0));
    notes.note("ClearBreakpoint.withoutCapability", () -> bare.clearBreakpoint(method, 0));
    notes.note("SetFieldAccessWatch.withoutCapability", () -> bare.setFieldAccessWatch(field));
    notes.note("ClearFieldAccessWatch.withoutCapability", () -> bare.clearFieldAccessWatch(field));
    notes.note(
        "SetFieldModificationWatch.withoutCapability", () -> bare.setFieldModificationWatch(field));
    notes.note(
        "ClearFieldModificationWatch.withoutCapability",
        () -> bare.clearFieldModificationWatch(field));
    notes.answer(bare::disposeEnvironment);
    notes.note(
        "ClearBreakpoint.handedOver",
        () -> observer.setBreakpoint(method, 0),
        () -> observer.setFieldAccessWatch(field),
        () -> observer.setFieldModificationWatch(field),
        () -> observer.relinquishCapabilities(NEEDED),
        () -> observer.addCapabilities(NEEDED),
        () -> observer.clearBreakpoint(method, 0),
        () -> observer.clearFieldAccessWatch(field),
        () -> observer.clearFieldModificationWatch(field));
  }

  private static Executable method(Class<?> type, String name) {
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Field field(Class<?> type, String name) {
    try {
      return type.getDeclaredField(name);
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }
}
