package io.jvmtools.functions;

import io.jvmtools.JvmTools;
import io.jvmtools.code.JvmField;
import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.code.ClassNatives;
import io.jvmtools.internal.environment.GeneralNatives;
import io.jvmtools.support.GcUntil;
import java.lang.ref.WeakReference;

/**
 * What is left of a class that has been unloaded.
 *
 * @param method one of its methods
 * @param methodId what the JVM called one of them
 * @param field one of its fields
 */
public record Unloaded(JvmMethod method, long methodId, JvmField field) {

  /** Apart, for the thread that loads the class needs this one initialised. */
  private static final class Only {
    private static final Unloaded ONE = unload();
  }

  /** The same for everybody. */
  public static Unloaded one() {
    return Only.ONE;
  }

  private static Unloaded unload() {
    WeakReference<?>[] loader = new WeakReference<?>[1];
    Unloaded[] unloaded = new Unloaded[1];
    // On a thread of its own, so that no frame of this one keeps the loader.
    Thread loading =
        new Thread(
            () -> {
              ClassFiles.Loader one = new ClassFiles.Loader("short-lived");
              loader[0] = new WeakReference<>(one);
              unloaded[0] = of(one.relay(ClassFiles.of(Relay.class), () -> {}).getClass());
            });
    loading.start();
    try {
      loading.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    GcUntil.cleared(loader);
    return unloaded[0];
  }

  private static Unloaded of(Class<?> type) {
    return new Unloaded(
        JvmTools.getClassMethods(type).get(0),
        ClassNatives.getClassMethods(GeneralNatives.metadata(), type)[0],
        JvmTools.getClassFields(type).get(0));
  }
}
