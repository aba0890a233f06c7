package io.jvmtools.system;

import static java.util.Objects.requireNonNull;

import io.jvmtools.Capability;
import io.jvmtools.JvmtiFunction;
import io.jvmtools.MissingCapabilityException;
import io.jvmtools.NotSupportedException;
import io.jvmtools.ThreadNotAliveException;
import io.jvmtools.internal.Lists;
import io.jvmtools.internal.Maker;
import io.jvmtools.internal.Makers;
import io.jvmtools.internal.environment.Environment;
import io.jvmtools.internal.system.TimerNatives;
import io.jvmtools.internal.thread.ThreadMap;
import io.jvmtools.internal.thread.ThreadReferences;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;

/** Timers: CPU time and elapsed time, and how far each timer can be trusted. */
public final class Timers {

  static {
    Makers.register(
        Timers.class,
        new Maker<Environment, Timers>() {
          @Override
          public Timers make(Environment environment) {
            return new Timers(environment);
          }
        });
  }

  private final Environment environment;

  Timers(Environment environment) {
    this.environment = environment;
  }

  /**
   * What {@link #currentThreadCpuTime()} measures. Needs {@link
   * Capability#CAN_GET_CURRENT_THREAD_CPU_TIME}.
   *
   * @return the facts about the timer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetCurrentThreadCpuTimerInfo")
  public TimerInfo currentThreadCpuTimerInfo() {
    return environment.keep(
        TimerInfo.of(TimerNatives.getCurrentThreadCpuTimerInfo(environment.handle())));
  }

  /**
   * The CPU time that the calling thread has used. Needs {@link
   * Capability#CAN_GET_CURRENT_THREAD_CPU_TIME}.
   *
   * @return the time since the thread started
   * @throws NotSupportedException if the calling thread is virtual and the JVM does not count its
   *     time
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetCurrentThreadCpuTime")
  public Duration currentThreadCpuTime() {
    return environment.keep(
        Duration.ofNanos(TimerNatives.getCurrentThreadCpuTime(environment.handle())));
  }

  /**
   * What {@link #threadCpuTime(Thread)} measures. Needs {@link Capability#CAN_GET_THREAD_CPU_TIME}.
   *
   * @return the facts about the timer
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadCpuTimerInfo")
  public TimerInfo threadCpuTimerInfo() {
    return environment.keep(TimerInfo.of(TimerNatives.getThreadCpuTimerInfo(environment.handle())));
  }

  /**
   * The CPU time that a thread has used. Needs {@link Capability#CAN_GET_THREAD_CPU_TIME}.
   *
   * @param thread a live platform thread
   * @return the time since the thread started
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws NotSupportedException if the thread is virtual and the JVM does not count its time
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadCpuTime")
  public Duration threadCpuTime(Thread thread) {
    Thread other = ThreadReferences.nullIfCurrent(thread);
    long nanos = TimerNatives.getThreadCpuTime(environment.handle(), other);
    return environment.keep(Duration.ofNanos(nanos));
  }

  /**
   * The CPU times that some threads have used, one after the other. Those that have not started or
   * have ended, and virtual ones if the JVM does not count their time, are left out. Needs {@link
   * Capability#CAN_GET_THREAD_CPU_TIME}.
   *
   * @param threads the threads
   * @return an unmodifiable map, in which threads are told apart by what they are and not by {@code
   *     equals}
   * @throws MissingCapabilityException if the environment does not hold the capability
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetThreadCpuTime")
  public Map<Thread, Duration> threadCpuTimes(Collection<Thread> threads) {
    Thread[] all = requireNonNull(threads, "threads").toArray(new Thread[0]);
    if (all.length == 0) {
      TimerNatives.getThreadCpuTimerInfo(environment.handle()); // It fails as they would.
    }
    Map<Thread, Duration> times = new ThreadMap<>();
    boolean countsVirtual = true;
    for (Thread thread : Lists.requireNoneNull(all, "threads")) {
      boolean isCurrent = thread == Thread.currentThread();
      if (!countsVirtual && !isCurrent && ThreadReferences.isVirtual(thread)) {
        continue;
      }
      try {
        times.put(thread, threadCpuTime(thread));
      } catch (ThreadNotAliveException ended) {
        // It is left out, unless it was named before and was alive then.
      } catch (NotSupportedException virtual) {
        // One is enough: there may be a hundred thousand.
        countsVirtual &= isCurrent;
      }
    }
    return Collections.unmodifiableMap(times);
  }

  /**
   * What {@link #time()} measures. Needs no capability.
   *
   * @return the facts about the timer
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetTimerInfo")
  public TimerInfo timerInfo() {
    return environment.keep(TimerInfo.of(TimerNatives.getTimerInfo(environment.handle())));
  }

  /**
   * The time of the JVM's own clock: good for differences, like {@link System#nanoTime()}. Needs no
   * capability; any phase.
   *
   * @return the time since some fixed but arbitrary moment
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetTime")
  public Duration time() {
    return environment.keep(Duration.ofNanos(TimerNatives.getTime(environment.handle())));
  }

  /**
   * How many processors the JVM may use. Needs no capability; any phase.
   *
   * @return their number, at least 1; it can change while the JVM runs
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetAvailableProcessors")
  public int availableProcessors() {
    return environment.keep(TimerNatives.getAvailableProcessors(environment.handle()));
  }
}
