package io.jvmtools.objects;

import static java.util.Objects.requireNonNull;

import io.jvmtools.internal.Lists;
import io.jvmtools.internal.objects.MonitorFacts;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who uses the monitor of an object, read at one moment.
 *
 * <p>From JDK 23 on the JVM tells of platform threads only: a monitor that a virtual thread owns
 * has no owner here, and virtual threads that wait are left out.
 *
 * @param owner the thread that owns the monitor, empty if none does; this record keeps it alive
 * @param entryCount how often the owner has entered the monitor, 0 if there is no owner
 * @param waiters the threads that wait to enter the monitor, unmodifiable
 * @param notifyWaiters the threads that are in {@link Object#wait()} and have not been notified,
 *     unmodifiable
 */
public record MonitorUsage(
    Optional<Thread> owner, int entryCount, List<Thread> waiters, List<Thread> notifyWaiters) {

  /** Before JDK-8328083. */
  private static final boolean NAMES_VIRTUAL_THREADS = Runtime.version().feature() < 23;

  /**
   * Refuses {@code null} components, and copies the lists.
   *
   * @param owner the thread that owns the monitor
   * @param entryCount how often the owner has entered the monitor
   * @param waiters the threads that wait to enter the monitor
   * @param notifyWaiters the threads that wait to be notified
   */
  public MonitorUsage {
    requireNonNull(owner, "owner");
    waiters = Lists.copyOf(waiters, "waiters");
    notifyWaiters = Lists.copyOf(notifyWaiters, "notifyWaiters");
  }

  static MonitorUsage of(MonitorFacts facts) {
    // Before JDK 23 the JVM counts a thread that waits to be notified among both.
    Set<Thread> inWait = Collections.newSetFromMap(new IdentityHashMap<>());
    inWait.addAll(Arrays.asList(facts.notifyWaiters()));
    return new MonitorUsage(
        Optional.ofNullable(facts.owner()),
        facts.entryCount(),
        Arrays.stream(facts.waiters()).filter(thread -> !inWait.contains(thread)).toList(),
        Arrays.asList(facts.notifyWaiters()));
  }

  /**
   * The names of the threads in one line.
   *
   * @return for example {@code owned by "main" (2 entries), wanted by "a", "b", awaited by "c"}, or
   *     {@code "free"}; from JDK 23 on the JVM does not tell a free monitor from one that a virtual
   *     thread owns: {@code "owned by no platform thread"}
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    owner.ifPresentOrElse(
        thread ->
            text.append("owned by \"")
                .append(thread.getName())
                .append("\" (")
                .append(entryCount)
                .append(entryCount == 1 ? " entry)" : " entries)"),
        () -> text.append(NAMES_VIRTUAL_THREADS ? "free" : "owned by no platform thread"));
    append(text, ", wanted by ", waiters);
    append(text, ", awaited by ", notifyWaiters);
    return text.toString();
  }

  private static void append(StringBuilder text, String verb, List<Thread> threads) {
    String separator = verb;
    for (Thread thread : threads) {
      text.append(separator).append('"').append(thread.getName()).append('"');
      separator = ", ";
    }
  }
}
