package io.jvmtools.internal.thread;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something about each of several threads, in the order in which it was put there. Threads are told
 * apart by identity: a subclass of {@link Thread} may have any {@code hashCode} and {@code equals}.
 */
public final class ThreadMap<V> extends AbstractMap<Thread, V> {

  private final IdentityHashMap<Thread, Map.Entry<Thread, V>> byThread = new IdentityHashMap<>();
  private final List<Map.Entry<Thread, V>> inOrder = new ArrayList<>();

  /** Adds or replaces; only for who makes the map. */
  @Override
  public @Nullable V put(Thread thread, V value) {
    Map.Entry<Thread, V> known = byThread.get(thread);
    if (known != null) {
      return known.setValue(value);
    }
    Map.Entry<Thread, V> entry = new SimpleEntry<>(thread, value);
    byThread.put(thread, entry);
    inOrder.add(entry);
    return null;
  }

  @Override
  public boolean containsKey(@Nullable Object thread) {
    return byThread.containsKey(thread);
  }

  @Override
  public @Nullable V get(@Nullable Object thread) {
    Map.Entry<Thread, V> entry = byThread.get(thread);
    return entry == null ? null : entry.getValue();
  }

  @Override
  public Set<Map.Entry<Thread, V>> entrySet() {
    return new Entries<>(inOrder);
  }

  private static final class Entries<V> extends AbstractSet<Map.Entry<Thread, V>> {

    private final List<Map.Entry<Thread, V>> entries;

    Entries(List<Map.Entry<Thread, V>> entries) {
      this.entries = entries;
    }

    @Override
    public Iterator<Map.Entry<Thread, V>> iterator() {
      return Collections.unmodifiableList(entries).iterator();
    }

    @Override
    public int size() {
      return entries.size();
    }
  }
}
