package io.jvmtools.oracle.events;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;

/** The C++ agent. */
final class VmRecorder implements Recorder {

  @Override
  public void begin(KindOfEvent event, Thread actor) {
    String classes = event.hasClass() ? CLASSES.replace('.', '/') : "";
    begin(
        event.number(),
        event.capability(),
        event.byThread() ? actor : null,
        actor.getName(),
        classes);
  }

  @Override
  public List<String> end() {
    return List.of(told());
  }

  /** One more for this method, and another one for the native. */
  @Override
  public void notifyFramePop(int depth) {
    notifyPop(depth + 2);
  }

  @Override
  public void setBreakpoint(Method method) {
    breakpoint(method);
  }

  @Override
  public void watchReads(Field field) {
    watch(field.getDeclaringClass(), field, false);
  }

  @Override
  public void watchWrites(Field field) {
    watch(field.getDeclaringClass(), field, true);
  }

  /** What the dynamic linker calls what is there. */
  static native String symbol(long address);

  private static native void watch(Class<?> type, Field field, boolean writes);

  private static native void begin(
      int event, int capability, Thread thread, String name, String classes);

  private static native String[] told();

  private static native void notifyPop(int depth);

  private static native void breakpoint(Method method);
}
