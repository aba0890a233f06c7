package io.jvmtools.internal.code;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Who wants to know that classes have been redefined by this library. Without a lock, and weak. */
public final class Redefinitions {

  private static final AtomicReference<List<WeakReference<Consumer<Set<Class<?>>>>>> LISTENERS =
      new AtomicReference<>(List.of());

  private Redefinitions() {}

  /**
   * Has somebody told, as long as somebody else keeps it.
   *
   * @param listener is given the classes, on the thread that has redefined them
   */
  public static void listen(Consumer<Set<Class<?>>> listener) {
    List<WeakReference<Consumer<Set<Class<?>>>>> before;
    List<WeakReference<Consumer<Set<Class<?>>>>> after;
    do {
      before = LISTENERS.get();
      after = new ArrayList<>();
      for (WeakReference<Consumer<Set<Class<?>>>> one : before) {
        if (one.get() != null) {
          after.add(one);
        }
      }
      after.add(new WeakReference<>(listener));
    } while (!LISTENERS.compareAndSet(before, after));
  }

  /**
   * Tells whoever listens.
   *
   * @param types the classes, whose methods are known anew already
   */
  public static void tell(Set<Class<?>> types) {
    for (WeakReference<Consumer<Set<Class<?>>>> one : LISTENERS.get()) {
      Consumer<Set<Class<?>>> listener = one.get();
      if (listener != null) {
        listener.accept(types);
      }
    }
  }
}
