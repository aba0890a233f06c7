package io.jvmtools.internal;

import static java.util.Objects.requireNonNull;

import java.lang.invoke.MethodHandles;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The doors between rooms: what a room makes for the others, out of something that users do not
 * have, and therefore not in public.
 *
 * <p>A class hands its maker over when it is initialised, and whoever wants one initialises it. So
 * nothing public has an internal type in its signature, and a copy of the classes in another
 * package works like this one. Makers are no lambdas: linking one could wait for a suspended
 * thread.
 */
public final class Makers {

  private static final Map<Class<?>, Maker<?, ?>> MAKERS = new ConcurrentHashMap<>();

  private Makers() {}

  /**
   * Hands over the maker of a class, in its static initialiser.
   *
   * @param type the class
   * @param maker makes it, or several of it
   */
  public static void register(Class<?> type, Maker<?, ?> maker) {
    MAKERS.put(type, maker);
  }

  /**
   * The maker that a class has handed over.
   *
   * @param type the class
   * @param <A> what its maker takes
   * @param <T> what its maker makes
   * @return the maker
   */
  @SuppressWarnings("unchecked") // A class has one maker; its first use would show another type.
  public static <A, T> Maker<A, T> of(Class<?> type) {
    try {
      MethodHandles.lookup().ensureInitialized(type);
    } catch (IllegalAccessException notPublic) {
      throw new IllegalArgumentException(type + " is not public", notPublic);
    }
    return (Maker<A, T>) requireNonNull(MAKERS.get(type), "maker");
  }
}
