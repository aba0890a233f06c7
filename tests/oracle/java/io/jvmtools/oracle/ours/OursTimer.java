package io.jvmtools.oracle.ours;

import io.jvmtools.oracle.asked.TimerFunctions;
import io.jvmtools.system.TimerInfo;

/** The stem {@code timer} through the public API. */
interface OursTimer extends TimerFunctions, OurEnvironment {

  @Override
  default String getCurrentThreadCpuTimerInfo() {
    return text(jvmti().timers().currentThreadCpuTimerInfo());
  }

  @Override
  default String getThreadCpuTimerInfo() {
    return text(jvmti().timers().threadCpuTimerInfo());
  }

  @Override
  default String getTimerInfo() {
    return text(jvmti().timers().timerInfo());
  }

  @Override
  default String getCurrentThreadCpuTime() {
    return String.valueOf(jvmti().timers().currentThreadCpuTime().toNanos());
  }

  @Override
  default String getThreadCpuTime(Thread thread) {
    return String.valueOf(jvmti().timers().threadCpuTime(thread).toNanos());
  }

  @Override
  default String getTime() {
    return String.valueOf(jvmti().timers().time().toNanos());
  }

  @Override
  default String getAvailableProcessors() {
    return String.valueOf(jvmti().timers().availableProcessors());
  }

  private static String text(TimerInfo info) {
    return info.kind()
        + " max "
        + info.maxNanos()
        + " forward "
        + info.maySkipForward()
        + " backward "
        + info.maySkipBackward();
  }
}
