package io.jvmtools;

import io.jvmtools.internal.system.TimerNatives;
import io.jvmtools.internal.thread.ThreadReferences;
import io.jvmtools.system.TimerInfo;

/** Timers, in nanoseconds without an object for each. A part of {@link JvmTools}. */
abstract sealed class TimerFunctions extends GeneralFunctions permits ObjectFunctions {

  /**
   * The CPU time that a thread has used. Adds {@link Capability#CAN_GET_THREAD_CPU_TIME}.
   *
   * @param thread a live platform thread
   * @return the time since the thread started, in nanoseconds
   * @throws ThreadNotAliveException if the thread has not started or has ended
   * @throws NotSupportedException if the thread is virtual and the JVM does not count its time
   */
  @JvmtiFunction("GetThreadCpuTime")
  public static long getThreadCpuTimeNanos(Thread thread) {
    Thread other = ThreadReferences.nullIfCurrent(thread);
    Jvmti jvmti = DefaultEnvironment.with(Capability.CAN_GET_THREAD_CPU_TIME);
    return TimerNatives.getThreadCpuTime(jvmti.handle(), other);
  }

  /**
   * The CPU time that the calling thread has used. Adds {@link
   * Capability#CAN_GET_CURRENT_THREAD_CPU_TIME}.
   *
   * @return the time since the thread started, in nanoseconds
   * @throws NotSupportedException if the calling thread is virtual and the JVM does not count its
   *     time
   */
  @JvmtiFunction("GetCurrentThreadCpuTime")
  public static long getCurrentThreadCpuTimeNanos() {
    Jvmti jvmti = DefaultEnvironment.with(Capability.CAN_GET_CURRENT_THREAD_CPU_TIME);
    return TimerNatives.getCurrentThreadCpuTime(jvmti.handle());
  }

  /**
   * The time of the JVM's own clock: good for differences, like {@link System#nanoTime()}. Any
   * phase.
   *
   * @return nanoseconds since some fixed but arbitrary moment
   */
  @JvmtiFunction("GetTime")
  public static long getTimeNanos() {
    return TimerNatives.getTime(DefaultEnvironment.get().handle());
  }

  /**
   * What {@link #getTimeNanos()} measures.
   *
   * @return the facts about the timer
   */
  @JvmtiFunction("GetTimerInfo")
  public static TimerInfo getTimerInfo() {
    return DefaultEnvironment.get().timers().timerInfo();
  }

  /**
   * What {@link #getThreadCpuTimeNanos(Thread)} measures. Adds {@link
   * Capability#CAN_GET_THREAD_CPU_TIME}.
   *
   * @return the facts about the timer
   */
  @JvmtiFunction("GetThreadCpuTimerInfo")
  public static TimerInfo getThreadCpuTimerInfo() {
    return DefaultEnvironment.with(Capability.CAN_GET_THREAD_CPU_TIME)
        .timers()
        .threadCpuTimerInfo();
  }

  /**
   * What {@link #getCurrentThreadCpuTimeNanos()} measures. Adds {@link
   * Capability#CAN_GET_CURRENT_THREAD_CPU_TIME}.
   *
   * @return the facts about the timer
   */
  @JvmtiFunction("GetCurrentThreadCpuTimerInfo")
  public static TimerInfo getCurrentThreadCpuTimerInfo() {
    return DefaultEnvironment.with(Capability.CAN_GET_CURRENT_THREAD_CPU_TIME)
        .timers()
        .currentThreadCpuTimerInfo();
  }

  /**
   * How many processors the JVM may use. Any phase.
   *
   * @return their number, at least 1; it can change while the JVM runs
   */
  @JvmtiFunction("GetAvailableProcessors")
  public static int getAvailableProcessors() {
    return DefaultEnvironment.get().timers().availableProcessors();
  }
}
