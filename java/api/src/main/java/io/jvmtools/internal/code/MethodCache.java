package io.jvmtools.internal.code;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Methods by id, for stacks: an open-addressing table without locks.
 *
 * <p>No lock, because a suspended thread would keep it and whoever reads that thread's stack would
 * wait for it. A race costs at most a second resolution of the same method.
 *
 * @param <M> what is kept about a method
 */
public final class MethodCache<M> {

  /**
   * Where methods come from.
   *
   * @param <M> what is kept about a method
   */
  public interface Source<M> {

    /**
     * Whether the id still stands for this method: whether its class is still in memory, and has
     * not been redefined.
     *
     * @param method what is kept
     * @return whether it is
     */
    boolean isLive(M method);

    /**
     * Asks the JVM about an id.
     *
     * @param id the id
     * @param known what was kept about the id before its class was collected or redefined, null if
     *     nothing
     * @return what the id stands for now; it is kept only if it is live
     */
    M resolve(long id, @Nullable M known);
  }

  private static final VarHandle KEYS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle VALUES = MethodHandles.arrayElementVarHandle(Object[].class);
  private static final int INITIAL_CAPACITY = 1 << 10;

  /** How many slots are looked at in a sweep. */
  private static final int SWEPT = 1 << 6;

  static {
    rehearse();
  }

  private final Source<M> source;
  private volatile Table table = new Table(INITIAL_CAPACITY);

  /**
   * An empty cache.
   *
   * @param source where methods come from; called without any lock held
   */
  public MethodCache(Source<M> source) {
    this.source = source;
  }

  /**
   * Links once what is linked when it is called first: whoever is told of an event may have what
   * the class loader waits for that is asked then.
   */
  private static void rehearse() {
    boolean[] method = {true};
    MethodCache<boolean[]> cache =
        new MethodCache<>(
            new Source<>() {
              @Override
              public boolean isLive(boolean[] one) {
                return one[0];
              }

              @Override
              public boolean[] resolve(long id, boolean @Nullable [] known) {
                return method;
              }
            });
    cache.get(1);
    cache.get(1);
    method[0] = false;
    for (int swept = 0; swept < INITIAL_CAPACITY; swept += SWEPT) {
      cache.sweep();
    }
    cache.renew(cache.table);
  }

  /**
   * What a method id stands for.
   *
   * @param id an id the JVM gave, never 0
   * @return the method
   */
  public M get(long id) {
    M known = value(table.get(id));
    return known != null && source.isLive(known) ? known : resolve(id, known);
  }

  /**
   * Forgets methods whose class was collected, if they are among the next few: whoever calls this
   * now and then will have forgotten all. A table that is empty for the most part becomes smaller.
   */
  public void sweep() {
    Table current = table;
    int first = current.cursor.getAndAdd(SWEPT);
    for (int i = 0; i < SWEPT; i++) {
      int slot = (first + i) & (current.keys.length - 1);
      M method = value(VALUES.getAcquire(current.values, slot));
      if (method != null && !source.isLive(method)) {
        current.drop(slot, method);
      }
    }
    if (current.dropped.get() > Math.max(SWEPT, current.used.get() >> 1)) {
      renew(current);
    }
  }

  /**
   * Looks at each method that is kept.
   *
   * @param look what is done with it
   */
  public void forEach(Consumer<? super M> look) {
    Table current = table;
    for (int slot = 0; slot < current.keys.length; slot++) {
      M method = value(VALUES.getAcquire(current.values, slot));
      if (method != null) {
        look.accept(method);
      }
    }
  }

  /**
   * How many methods are kept.
   *
   * @return their number, of collected ones those that were not swept yet
   */
  int size() {
    Table current = table;
    int size = 0;
    for (int slot = 0; slot < current.keys.length; slot++) {
      size += VALUES.getAcquire(current.values, slot) == null ? 0 : 1;
    }
    return size;
  }

  /**
   * How many slots there are; half of them are used at most.
   *
   * @return their number
   */
  int capacity() {
    return table.keys.length;
  }

  private M resolve(long id, @Nullable M known) {
    M method = source.resolve(id, known);
    if (source.isLive(method)) {
      Table current = table;
      while (!current.put(id, method)) {
        current = renew(current);
      }
    }
    return method;
  }

  /** Replaces a table by one of the live methods, unless another thread already has. */
  private Table renew(Table old) {
    Table now = table;
    if (now != old) {
      return now;
    }
    int live = 0;
    for (int slot = 0; slot < old.keys.length; slot++) {
      M method = value(VALUES.getAcquire(old.values, slot));
      live += method != null && source.isLive(method) ? 1 : 0;
    }
    int capacity = INITIAL_CAPACITY;
    while (live > capacity >> 2) {
      capacity <<= 1;
    }
    Table next = new Table(capacity);
    for (int slot = 0; slot < old.keys.length; slot++) {
      M method = value(VALUES.getAcquire(old.values, slot));
      if (method != null && source.isLive(method)) {
        next.put(old.keys[slot], method);
      }
    }
    table = next;
    return next;
  }

  @SuppressWarnings("unchecked")
  private @Nullable M value(@Nullable Object value) {
    return (M) value;
  }

  /** Slots for ids, claimed once and for all by a compare-and-set, and their replaceable values. */
  private static final class Table {

    private final long[] keys;
    private final @Nullable Object[] values;
    private final AtomicInteger used = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private final AtomicInteger cursor = new AtomicInteger();
    private final int shift;

    Table(int capacity) {
      this.keys = new long[capacity];
      this.values = new Object[capacity];
      this.shift = Long.numberOfLeadingZeros(capacity) + 1;
    }

    @Nullable Object get(long id) {
      long[] keys = this.keys;
      int mask = keys.length - 1;
      for (int slot = start(id); ; slot = (slot + 1) & mask) {
        long key = keys[slot];
        if (key == id) {
          return VALUES.getAcquire(values, slot);
        }
        if (key == 0) {
          return null;
        }
      }
    }

    /** The key stays, for those that were put behind it. */
    void drop(int slot, Object method) {
      if (VALUES.compareAndSet(values, slot, method, null)) {
        dropped.incrementAndGet();
      }
    }

    /** Method ids are addresses or small numbers: multiply, and take the upper bits. */
    private int start(long id) {
      return (int) ((id * 0x9E3779B97F4A7C15L) >>> shift);
    }

    /** False if the table is half full and the id is not in it. */
    boolean put(long id, Object method) {
      int mask = keys.length - 1;
      for (int slot = start(id); ; slot = (slot + 1) & mask) {
        long key = (long) KEYS.getVolatile(keys, slot);
        if (key == 0) {
          if (used.get() >= keys.length >> 1) {
            return false;
          }
          key = (long) KEYS.compareAndExchange(keys, slot, 0L, id);
          if (key == 0) {
            used.incrementAndGet();
          }
        }
        if (key == 0 || key == id) {
          VALUES.setRelease(values, slot, method);
          return true;
        }
      }
    }
  }
}
