package io.jvmtools.internal.code;

import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The members of the classes that were asked about last, by what tells them apart: whoever takes
 * those of a class one by one would take each as often as there are.
 *
 * <p>It keeps no class alive, if its members do not, and goes when memory is short. Without locks:
 * a race costs at most a second list.
 *
 * @param <M> what is kept about a member
 */
public final class RecentMembers<M> {

  private static final int PLACES = 16;

  private final Function<Class<?>, Map<String, M>> source;
  private final AtomicReferenceArray<@Nullable SoftReference<Members<M>>> places =
      new AtomicReferenceArray<>(PLACES);

  /**
   * None so far.
   *
   * @param source lists the members of a class
   */
  public RecentMembers(Function<Class<?>, Map<String, M>> source) {
    this.source = source;
  }

  /**
   * The members of a class.
   *
   * @param type the class
   * @return its members by what tells them apart
   */
  public Map<String, M> of(Class<?> type) {
    int place = System.identityHashCode(type) % PLACES;
    SoftReference<Members<M>> known = places.get(place);
    Members<M> members = known == null ? null : known.get();
    if (members == null || !members.type().refersTo(type)) {
      members = new Members<>(new WeakReference<>(type), source.apply(type));
      places.set(place, new SoftReference<>(members));
    }
    return members.byName();
  }

  private record Members<M>(WeakReference<Class<?>> type, Map<String, M> byName) {}
}
