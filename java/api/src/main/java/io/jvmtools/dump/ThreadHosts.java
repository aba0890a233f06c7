package io.jvmtools.dump;

import io.jvmtools.internal.dump.DumpFacts;
import io.jvmtools.internal.thread.ThreadReferences;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The hosts of the threads of a dump. */
final class ThreadHosts {

  /** What the JDK says of the container of threads that were started by themselves. */
  private static final String ROOT = "<root>";

  private final DumpFacts facts;

  /** By identity: names of containers, null for the root. */
  private final IdentityHashMap<Object, @Nullable String> containers = new IdentityHashMap<>();

  /** By identity: carriers, with whom they carry. */
  private final IdentityHashMap<Thread, DumpedName> carried = new IdentityHashMap<>();

  ThreadHosts(DumpFacts facts) {
    this.facts = facts;
    @Nullable Thread[] carriers = facts.carriers();
    for (int row = 0; carriers != null && row < carriers.length; row++) {
      Thread thread = facts.threads()[row];
      if (carriers[row] != null && ThreadReferences.isBuilt(thread)) {
        carried.put(carriers[row], ThreadIdentity.of(thread).asName());
      }
    }
  }

  /** The one of the thread in a row. */
  ThreadHost of(int row) {
    Object container = facts.containers() == null ? null : facts.containers()[row];
    return new ThreadHost(
        number(facts.nativeIds(), row),
        number(facts.agesNanos(), row),
        name(facts.carriers(), row),
        carried.get(facts.threads()[row]),
        container == null ? null : name(container),
        name(facts.containerOwners(), row));
  }

  /** Adds a line if something is not known of any thread. */
  void addUnknown(List<String> lines) {
    if (facts.nativeIds() == null) {
      lines.add("native ids, and elapsed times: this JVM, or the system it runs in, hides them");
    } else if (facts.agesNanos() != null && knowsOf(row -> true) && !knowsOf(this::hasAge)) {
      lines.add("elapsed times: this system does not keep them");
    }
  }

  /** Whether there is such a row among those that the system knows; none is virtual. */
  private boolean knowsOf(IntPredicate rows) {
    long[] ids = facts.nativeIds();
    return ids != null
        && IntStream.range(0, ids.length).filter(row -> ids[row] >= 0).anyMatch(rows);
  }

  private boolean hasAge(int row) {
    return facts.agesNanos() != null && facts.agesNanos()[row] >= 0;
  }

  private static long number(long @Nullable [] numbers, int row) {
    return numbers == null ? -1 : numbers[row];
  }

  private static @Nullable DumpedName name(@Nullable Thread @Nullable [] threads, int row) {
    Thread thread = threads == null ? null : threads[row];
    return thread == null ? null : ThreadIdentity.of(thread).asName();
  }

  private @Nullable String name(Object container) {
    if (!containers.containsKey(container)) {
      String name = container.toString();
      containers.put(container, name.startsWith(ROOT) ? null : name);
    }
    return containers.get(container);
  }
}
