package io.jvmtools.event;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiException;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.StalledException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.objects.HeapNatives;

/**
 * Profiles: events that are counted in native code, by where they happen, because there are too
 * many of them to be told of each.
 *
 * <pre>{@code
 * try (Jvmti jvmti = Jvmti.open(Capability.CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS);
 *     AllocationProfile profile = jvmti.profile().allocations(512 * 1024)) {
 *   serve();
 *   System.out.print(profile.snapshot());
 *   Files.writeString(Path.of("live.collapsed"), profile.live().toCollapsed());
 * }
 * }</pre>
 *
 * <p>A stack that is seen for the first time has its names and lines looked up on the thread on
 * which it is seen; after that an event costs about a microsecond, and a sixth of one for each
 * frame. As with {@link Events}, what happens within a listener counts as suppressed, and what the
 * library's own threads do is not counted. Of a class that is redefined meanwhile the lines may be
 * those of before.
 */
public final class Profiles {

  static {
    Makers.register(
        Profiles.class,
        new Maker<Events, Profiles>() {
          @Override
          public Profiles make(Events events) {
            return new Profiles(events);
          }
        });
  }

  private final Events events;

  Profiles(Events events) {
    this.events = events;
  }

  /**
   * Counts allocations, as {@link #allocations(int, ProfileOptions)}, all of them that the JVM
   * takes as samples.
   *
   * @param interval between two samples, in bytes
   * @return what counts them
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalArgumentException if the interval is negative
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the environment is closed
   */
  public AllocationProfile allocations(int interval) {
    return allocations(interval, ProfileOptions.DEFAULT);
  }

  /**
   * Counts allocations by class and stack, of which the JVM takes samples, and knows which of the
   * objects are still there. Needs {@link Capability#CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS}.
   *
   * <p>Amounts are bytes that are allocated, as estimated from the samples: a small one stands for
   * as many as the interval, and one much larger than that for its own size. Counts are those of
   * the samples. The interval is {@linkplain #setHeapSamplingInterval that of the whole JVM}, it
   * stays when the profile is closed, and whoever sets another one makes the estimate wrong. Only
   * one environment can hold the capability at a time, also of other agents'.
   *
   * <p>On JDK 21 the JVM writes into memory that it has freed, and may crash, once a native thread
   * has detached that attached itself while allocations were sampled (JDK-8319935, mended in 22).
   * The library's own threads never detach there; do not sample where others do.
   *
   * @param interval between two samples, in bytes; 512 KiB cost next to nothing, and with 0 every
   *     object is one, on each thread once it has allocated what was left of the interval before
   * @param options which, and how many
   * @return what counts them
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws ThreadNotAliveException if a thread that the filter asks for has not started yet, or
   *     has ended
   * @throws IllegalArgumentException if the interval is negative, or if the filter asks for what
   *     these events do not have
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the environment is closed
   */
  public AllocationProfile allocations(int interval, ProfileOptions options) {
    requireNonNull(options, "options");
    if (interval < 0) {
      throw new IllegalArgumentException("an interval of " + interval + " bytes: 0 or more");
    }
    int[] profile = counting(options, true);
    profile[INTERVAL] = interval;
    Subscription one = events.count(EventTypes.SAMPLED_OBJECT_ALLOC, options.filter(), profile);
    boolean sampled = false;
    try {
      setHeapSamplingInterval(interval);
      sampled = true;
      return new AllocationProfile(events.delivery(), one);
    } finally {
      if (!sampled) {
        one.close();
      }
    }
  }

  /**
   * Counts how often, and for how long, threads wait for monitors that others own, all of them.
   *
   * @return what counts them
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the environment is closed
   */
  public Profile contention() {
    return contention(ProfileOptions.DEFAULT);
  }

  /**
   * Counts how often, and for how long, threads wait for monitors that others own, by the class of
   * the monitor and the stack of who has waited. That is {@code synchronized} alone: for the locks
   * of {@code java.util.concurrent} threads park. Needs {@link
   * Capability#CAN_GENERATE_MONITOR_EVENTS}. It is counted when the thread has the monitor; one
   * that has waited since before this began counts as filtered.
   *
   * <p>With a filter for so many in a second, that many are counted of those that begin in it, with
   * the time that each of them lasts; the others count as filtered.
   *
   * @param options which, and how many
   * @return what counts them
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws ThreadNotAliveException if a thread that the filter asks for has not started yet, or
   *     has ended
   * @throws IllegalArgumentException if the filter asks for what these events do not have
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the environment is closed
   */
  public Profile contention(ProfileOptions options) {
    requireNonNull(options, "options");
    EventFilter filter = options.filter();
    Subscription ends =
        events.count(
            EventTypes.MONITOR_CONTENDED_ENTERED, filter.withoutRate(), counting(options, false));
    boolean begun = false;
    try {
      Subscription begins =
          events.count(EventTypes.MONITOR_CONTENDED_ENTER, filter, new int[] {ends.number()});
      begun = true;
      return new Profile(events.delivery(), ProfileUnit.NANOSECONDS, ends, begins);
    } finally {
      if (!begun) {
        ends.close();
      }
    }
  }

  /**
   * Counts what is thrown, all of it.
   *
   * @return what counts it
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the environment is closed
   */
  public Profile exceptions() {
    return exceptions(ProfileOptions.DEFAULT);
  }

  /**
   * Counts what is thrown, by its class and the stack. What is thrown again counts again, also by
   * {@code finally}, {@code synchronized} and {@code try} with resources, which are compiled to
   * that. Needs {@link Capability#CAN_GENERATE_EXCEPTION_EVENTS}, which the agent has to prepare.
   *
   * @param options which, and how many
   * @return what counts it
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws ThreadNotAliveException if a thread that the filter asks for has not started yet, or
   *     has ended
   * @throws IllegalArgumentException if the filter asks for what these events do not have
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the environment is closed
   */
  public Profile exceptions(ProfileOptions options) {
    requireNonNull(options, "options");
    return counted(EventTypes.EXCEPTION, options);
  }

  /**
   * Counts how often each method is entered.
   *
   * @return what counts it
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the environment is closed
   */
  public Profile methodEntries() {
    return methodEntries(ProfileOptions.DEFAULT);
  }

  /**
   * Counts how often methods are entered. Needs {@link
   * Capability#CAN_GENERATE_METHOD_ENTRY_EVENTS}. The JVM interprets all code meanwhile, which is
   * then about a hundred times as slow, and small methods that are called all the time a thousand
   * times: ask for few threads.
   *
   * @param options which, and how many; there is one stack for each method
   * @return what counts it
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws ThreadNotAliveException if a thread that the filter asks for has not started yet, or
   *     has ended
   * @throws IllegalArgumentException if the filter asks for what these events do not have
   * @throws StalledException if the thread of the library that does it does not answer
   * @throws IllegalStateException if the environment is closed
   */
  public Profile methodEntries(ProfileOptions options) {
    requireNonNull(options, "options");
    return counted(EventTypes.METHOD_ENTRY, options);
  }

  /**
   * How many bytes are allocated between two samples of {@link EventTypes#SAMPLED_OBJECT_ALLOC}, on
   * average, on each thread: for all environments, and until somebody says otherwise. A JVM begins
   * with 512 KiB. Threads go by the new one from their next sample on. Needs {@link
   * Capability#CAN_GENERATE_SAMPLED_OBJECT_ALLOC_EVENTS}.
   *
   * @param bytes how many; 0: every object is a sample
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws JvmtiException if it is negative ({@code JVMTI_ERROR_ILLEGAL_ARGUMENT})
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("SetHeapSamplingInterval")
  public void setHeapSamplingInterval(int bytes) {
    Environment environment = events.environment();
    HeapNatives.setHeapSamplingInterval(environment.handle(), bytes);
    environment.keep();
  }

  private Profile counted(EventType<?> type, ProfileOptions options) {
    Subscription one = events.count(type, options.filter(), counting(options, false));
    return new Profile(events.delivery(), ProfileUnit.NOTHING, one);
  }

  /** Its place among what native code is told of a profile. */
  private static final int INTERVAL = 3;

  private static int[] counting(ProfileOptions options, boolean live) {
    return new int[] {options.depth(), options.stacks(), live ? 1 : 0, 0};
  }
}
