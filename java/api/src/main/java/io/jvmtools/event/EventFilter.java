package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

import io.jvmtools.code.JvmMethod;
import io.jvmtools.internal.Lists;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.code.MethodIds;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which events a listener is told of. It is looked at before any Java runs, so that what is
 * filtered costs little.
 *
 * <p>Filters are values: each method makes another one, which asks for what this one asks for, and
 * for one thing more. So {@code EventFilter.ANY.minSize(1 << 20).threads(pool)} stands for whatever
 * is that large, on those threads.
 *
 * <p>A filter keeps what it asks for alive, like any list of it; the environment in which somebody
 * listens does not.
 */
public final class EventFilter {

  /** Every event. */
  public static final EventFilter ANY = new EventFilter(null, null, null, null, 0, -1);

  private final @Nullable List<Thread> threads;
  private final @Nullable List<Class<?>> classes;
  private final @Nullable List<String> patterns;
  private final @Nullable List<JvmMethod> methods;
  private final long minSize;
  private final int perSecond;

  private EventFilter(
      @Nullable List<Thread> threads,
      @Nullable List<Class<?>> classes,
      @Nullable List<String> patterns,
      @Nullable List<JvmMethod> methods,
      long minSize,
      int perSecond) {
    this.threads = threads;
    this.classes = classes;
    this.patterns = patterns;
    this.methods = methods;
    this.minSize = minSize;
    this.perSecond = perSecond;
  }

  /**
   * Only what happens on these threads. Where the JVM can tell of some threads only, and these are
   * at most 64, others cost nothing; but for exceptions of virtual threads, of which the JVM would
   * forget nearly all.
   *
   * @param threads any, which are alive when somebody begins to listen
   * @return a filter that asks for that, too, in place of other threads
   */
  public EventFilter threads(Thread... threads) {
    return onThreads(threads);
  }

  /**
   * Only what happens on these threads, as {@link #threads(Thread...)}.
   *
   * @param threads any, which are alive when somebody begins to listen
   * @return a filter that asks for that, too, in place of other threads
   */
  public EventFilter threads(Collection<Thread> threads) {
    return onThreads(requireNonNull(threads, "threads").toArray(new Thread[0]));
  }

  private EventFilter onThreads(Thread[] threads) {
    List<Thread> all = copyOf(threads, "threads");
    return new EventFilter(all, classes, patterns, methods, minSize, perSecond);
  }

  private static <T> List<T> copyOf(T[] elements, String name) {
    return List.of(Lists.requireNoneNull(requireNonNull(elements, name).clone(), name));
  }

  /**
   * Only events of one of these classes, and not of those that extend them. Which class that is
   * depends on the kind: of an object the one that it is of, of what happens in a method the one
   * that declares it, of a watched field the one that declares that, and of what is thrown the one
   * of that.
   *
   * @param classes any
   * @return a filter that asks for that, too, in place of other classes
   */
  public EventFilter classes(Class<?>... classes) {
    List<Class<?>> all = copyOf(classes, "classes");
    return new EventFilter(threads, all, patterns, methods, minSize, perSecond);
  }

  /**
   * Only events of a class with such a name, of the class that {@link #classes(Class...)} says, or
   * of the one that was unloaded.
   *
   * @param patterns names as {@link Class#getName()} has them, in which a star stands for any
   *     letters: {@code "com.acme.*"}
   * @return a filter that asks for that, too, in place of other names
   */
  public EventFilter classes(String... patterns) {
    List<String> all = copyOf(patterns, "patterns");
    return new EventFilter(threads, classes, all, methods, minSize, perSecond);
  }

  /**
   * Only what happens in one of these methods.
   *
   * @param methods any
   * @return a filter that asks for that, too, in place of other methods
   */
  public EventFilter methods(JvmMethod... methods) {
    List<JvmMethod> all = copyOf(methods, "methods");
    return new EventFilter(threads, classes, patterns, all, minSize, perSecond);
  }

  /**
   * Only events of what is so large.
   *
   * @param bytes the least size
   * @return a filter that asks for that, too, in place of another size
   * @throws IllegalArgumentException if it is negative
   */
  public EventFilter minSize(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a size of " + bytes);
    }
    return new EventFilter(threads, classes, patterns, methods, bytes, perSecond);
  }

  /**
   * No more than so many in each second, the first ones; the second begins for all at once.
   *
   * @param most how many
   * @return a filter that asks for that, too, in place of another rate
   * @throws IllegalArgumentException if it is negative
   */
  public EventFilter perSecond(int most) {
    if (most < 0) {
      throw new IllegalArgumentException(most + " in a second");
    }
    return new EventFilter(threads, classes, patterns, methods, minSize, most);
  }

  /** Fails for what events of this kind do not have. */
  void requireFor(EventType<?> type) {
    require(type, threads != null, EventType.Trait.THREAD, "thread");
    if (classes != null && type.has(EventType.Trait.NAME_OF_CLASS)) {
      throw new IllegalArgumentException(
          type + " has no class any more, which the filter asks for: ask for its name");
    }
    require(type, classes != null, EventType.Trait.CLASS, "class");
    if (!type.has(EventType.Trait.NAME_OF_CLASS)) {
      require(type, patterns != null, EventType.Trait.CLASS, "class");
    }
    require(type, methods != null, EventType.Trait.METHOD, "method");
    require(type, minSize > 0, EventType.Trait.SIZE, "size");
  }

  private static void require(
      EventType<?> type, boolean asked, EventType.Trait trait, String what) {
    if (asked && !type.has(trait)) {
      throw new IllegalArgumentException(
          type + " has no " + what + ", which the filter asks for: leave that out");
    }
  }

  Thread @Nullable [] threadArray() {
    return threads == null ? null : threads.toArray(new Thread[0]);
  }

  Class<?> @Nullable [] classArray() {
    return classes == null ? null : classes.toArray(new Class<?>[0]);
  }

  String @Nullable [] patternArray() {
    return patterns == null ? null : patterns.toArray(new String[0]);
  }

  long @Nullable [] methodIds() {
    if (methods == null) {
      return null;
    }
    Maker<JvmMethod, Long> ids = Makers.of(MethodIds.class);
    long[] all = new long[methods.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = ids.make(methods.get(i));
    }
    return all;
  }

  long minSize() {
    return minSize;
  }

  /** The same, however many in a second. */
  EventFilter withoutRate() {
    return new EventFilter(threads, classes, patterns, methods, minSize, -1);
  }

  int perSecond() {
    return perSecond;
  }

  /**
   * What it asks for.
   *
   * @return a text for people
   */
  @Override
  public String toString() {
    List<String> asked =
        Stream.of(
                said("threads", threads),
                said("classes", classes),
                said("names", patterns),
                said("methods", methods),
                minSize > 0 ? "at least " + minSize + " bytes" : "",
                perSecond >= 0 ? perSecond + " in a second" : "")
            .filter(text -> !text.isEmpty())
            .toList();
    return asked.isEmpty() ? "any event" : String.join(", ", asked);
  }

  private static String said(String what, @Nullable List<?> all) {
    return all == null ? "" : what + " " + all;
  }
}
