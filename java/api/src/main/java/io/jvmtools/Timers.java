package io.jvmtools;

import io.jvmtools.internal.TimerNatives;
import java.time.Duration;

/** Timers: CPU time and elapsed time, and how far each timer can be trusted. */
public final class Timers {

  private final Jvmti jvmti;

  Timers(Jvmti jvmti) {
    this.jvmti = jvmti;
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
    return jvmti.keep(TimerInfo.of(TimerNatives.getCurrentThreadCpuTimerInfo(jvmti.handle())));
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
    return Duration.ofNanos(currentThreadCpuTimeNanos());
  }

  long currentThreadCpuTimeNanos() {
    return jvmti.keep(TimerNatives.getCurrentThreadCpuTime(jvmti.handle()));
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
    return jvmti.keep(TimerInfo.of(TimerNatives.getThreadCpuTimerInfo(jvmti.handle())));
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
    return Duration.ofNanos(threadCpuTimeNanos(thread));
  }

  long threadCpuTimeNanos(Thread thread) {
    return jvmti.keep(TimerNatives.getThreadCpuTime(jvmti.handle(), Threads.nullIfCurrent(thread)));
  }

  /**
   * What {@link #time()} measures. Needs no capability.
   *
   * @return the facts about the timer
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetTimerInfo")
  public TimerInfo timerInfo() {
    return jvmti.keep(TimerInfo.of(TimerNatives.getTimerInfo(jvmti.handle())));
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
    return Duration.ofNanos(timeNanos());
  }

  long timeNanos() {
    return jvmti.keep(TimerNatives.getTime(jvmti.handle()));
  }

  /**
   * How many processors the JVM may use. Needs no capability; any phase.
   *
   * @return their number, at least 1; it can change while the JVM runs
   * @throws IllegalStateException if the environment is closed
   */
  @JvmtiFunction("GetAvailableProcessors")
  public int availableProcessors() {
    return jvmti.keep(TimerNatives.getAvailableProcessors(jvmti.handle()));
  }
}
